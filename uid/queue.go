package uid

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a take without a context waits for progress. It is looked at when
// something happens, or after a nap at the latest.
const (
	patience = 5 * time.Second
	nap      = time.Second
)

// errPatience ends a wait that made no progress and that no context bounds.
var errPatience = fmt.Errorf("nobody got an id for %v", patience)

// noContext marks a call that has no context. It is one, but no caller's.
var noContext = context.WithValue(context.Background(), noContextKey{}, true)

type noContextKey struct{}

// waiter is a take that waits. Its fields belong to who holds the queue's lock while it is
// in line, and otherwise to the take.
type waiter struct {
	wants int                     // ids of one span at most; 0: none, it takes by itself
	since time.Time               // of the wait; zero: a context bounds it
	end   context.CancelCauseFunc // unless nil, called when the wait was in vain
	ready chan struct{}           // closed when it has left the line:
	first int64                   // it was handed ids,
	n     int                     // so many,
	err   error                   // or waited in vain, or else it is its turn to take

	place *list.Element // nil: not in line
}

func newWaiter(ctx context.Context, wants int) *waiter {
	w := &waiter{wants: wants}
	if ctx == noContext {
		w.since = time.Now()
	}
	return w
}

// queue is the takes that wait for ids, first come first served. Who has ids hands them to
// as many as there are ids for, and wakes nobody else: a million goroutines may wait for
// eight thousand ids a second. The zero value is empty. All methods are for who holds mu.
type queue struct {
	length atomic.Int64 // of line, for who does not hold mu

	mu       sync.Mutex
	line     list.List // of *waiter
	progress time.Time // when somebody got an id, as far as is known
}

// served is how many ids are handed over at a time. In between, those who were
// woken run: each takes more by itself, which is a hundred times as fast as waking another.
const served = 256

// push puts a take in line, at the end or at the front.
func (q *queue) push(w *waiter, front bool) {
	w.ready, w.err = make(chan struct{}), nil
	if front {
		w.place = q.line.PushFront(w)
	} else {
		w.place = q.line.PushBack(w)
	}
	q.length.Add(1)
}

// remove takes w out of the line. False: it had left it before.
func (q *queue) remove(w *waiter) bool {
	if w.place == nil {
		return false
	}
	q.line.Remove(w.place)
	w.place = nil
	q.length.Add(-1)
	return true
}

// next is who has waited longest; nil: nobody waits.
func (q *queue) next() *waiter {
	if e := q.line.Front(); e != nil {
		return e.Value.(*waiter)
	}
	return nil
}

// call tells a take that it is its turn.
func (q *queue) call(w *waiter) {
	q.remove(w)
	close(w.ready)
}

func (q *queue) fail(w *waiter, err error) {
	w.err = err
	if w.end != nil {
		w.end(err)
	}
	q.call(w)
}

func (q *queue) failAll(err error) {
	for w := q.next(); w != nil; w = q.next() {
		q.fail(w, err)
	}
}

// leave ends a wait from outside. False: it was over before.
func (q *queue) leave(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.remove(w)
}

// note notes that ids were put.
func (q *queue) note(put int64) {
	if put > 0 {
		q.progress = time.Now()
	}
}

// overdue fails those without a context who have waited for as long as their patience,
// while nobody got an id. It returns after how long to look again: nobody need be looked at
// before patience has passed since the last progress, and who came later stands further back.
func (q *queue) overdue(why error) (again time.Duration) {
	now := time.Now()
	if left := patience - now.Sub(q.progress); left > 0 {
		return min(left, nap)
	}
	for e := q.line.Front(); e != nil; {
		w := e.Value.(*waiter)
		e = e.Next()
		if w.since.IsZero() {
			continue
		}
		if left := patience - now.Sub(w.since); left > 0 {
			return min(left, nap)
		}
		q.fail(w, fmt.Errorf("%w: %w", why, errPatience))
	}
	return nap
}
