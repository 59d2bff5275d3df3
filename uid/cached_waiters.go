package uid

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// waiter is a take that found the ring empty. The fields from first on belong to
// who holds the queue's lock until ready is closed, and then to the take.
type waiter struct {
	wants   int           // ids of one span at most; 0: none, it takes by itself when it is its turn
	since   time.Time     // of the wait; zero: a context bounds it
	timeout func(error)   // unless nil, called when there was no progress for too long
	ready   chan struct{} // closed when it is its turn, or in vain
	first   int64         // what it got
	n       int           // of wants
	err     error         // why it waited in vain

	queued     bool
	prev, next *waiter
}

// waiters is the queue of takes that wait for ids, first come first served. Who
// puts ids hands them to as many waiters as there are ids for, and wakes nobody
// else: a million goroutines may wait for eight thousand ids a second.
//
//	every take that is not queued found ids, failed, or has yet to look at the ring
//	a waiter is queued before the ring is looked at for it, and ids are put before
//	it is looked whether anybody is queued: one of the two sees the other
type waiters struct {
	g      *CachedGenerator
	length atomic.Int64

	mu       sync.Mutex
	head     waiter // of a ring: head.next is the first, head.prev the last
	closed   bool
	puts     int64       // times that ids were put while somebody waited
	progress time.Time   // the last time
	watch    *time.Timer // for those without a context; nil: not yet needed
	watching bool
}

// served is how many ids are handed over at a time. In between, those who were
// woken run: each takes more by itself from the ring, which is a hundred times as
// fast as waking another.
const served = 256

func (q *waiters) init(g *CachedGenerator) {
	q.g = g
	q.head.prev, q.head.next = &q.head, &q.head
}

// enter queues a take, at the end or at the front, and serves it at once if there are ids.
func (q *waiters) enter(w *waiter, first bool) {
	w.ready, w.err = make(chan struct{}), nil
	put := q.g.padder.Help()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.note(put)
	if q.closed {
		w.fail(ErrClosed)
		return
	}
	at := &q.head // before the head is the end
	if first {
		at = q.head.next
	}
	w.prev, w.next = at.prev, at
	w.prev.next, w.next.prev = w, w
	w.queued = true
	if q.length.Add(1) == 1 {
		q.g.padder.Wake() // it looks again when what is in the way has passed
	}
	why, final := q.g.padder.Waiting() // before the ring is looked at: nothing is put after it
	if w.wants > 0 {
		q.serve(served)
	}
	if w.queued && final && q.g.ring.Used() == 0 {
		q.remove(w)
		w.fail(why)
	}
	if w.queued && !w.since.IsZero() && !q.watching {
		q.watchFor(patience)
	}
}

// leave ends a wait from outside. False: it was over before.
func (q *waiters) leave(w *waiter) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w.queued {
		q.remove(w)
		return true
	}
	return false
}

func (q *waiters) remove(w *waiter) {
	w.prev.next, w.next.prev = w.next, w.prev
	w.prev, w.next, w.queued = nil, nil, false
	q.length.Add(-1)
}

// refilled hands out what was put, and reports whether there is more to hand out.
// The padder calls it.
func (q *waiters) refilled(put int64) (more bool) {
	if q.length.Load() == 0 {
		return false
	}
	q.mu.Lock()
	q.note(put)
	if q.g.c.RejectTake == nil {
		more = q.serve(served) && q.length.Load() > 0
	} else {
		q.call(int64(q.g.ring.Used()) * q.g.mint.perSlot)
	}
	if why, final := q.g.padder.Waiting(); final && q.g.ring.Used() == 0 {
		q.failAll(why)
	}
	q.mu.Unlock()
	if more {
		runtime.Gosched()
	}
	return more
}

// note notes that ids were put.
func (q *waiters) note(put int64) {
	if put > 0 {
		q.puts++
		q.progress = time.Now()
	}
}

// lastPut is how often ids were put while somebody waited, and when last.
func (q *waiters) lastPut() (puts int64, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.puts, q.progress
}

// call tells the first n that it is their turn.
func (q *waiters) call(n int64) {
	for ; n > 0 && q.head.next != &q.head; n-- {
		w := q.head.next
		q.remove(w)
		close(w.ready)
	}
}

// callNext passes on to the next in line that there are ids. Without a handler it
// gets its id with the call.
func (q *waiters) callNext() {
	if q.length.Load() == 0 || q.g.ring.Used() == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.g.c.RejectTake == nil {
		q.serve(served)
	} else {
		q.call(1)
	}
}

// serve hands out up to n ids to those who have waited longest. False: the ring is
// empty.
func (q *waiters) serve(n int) bool {
	for n > 0 && q.head.next != &q.head {
		w := q.head.next
		wanted := w.wants
		if wanted == 1 {
			wanted = q.singles(n)
		}
		first, got, low := q.g.ring.TakeSpan(wanted)
		if low {
			q.g.padder.Wake()
		}
		if got == 0 {
			return false
		}
		n -= got
		if w.wants > 1 {
			q.hand(w, first, got)
			continue
		}
		for i := range got {
			q.hand(q.head.next, first+int64(i)*q.g.fields.step(), 1)
		}
	}
	return true
}

// singles is how many waiters in a row, up to n, want one id.
func (q *waiters) singles(n int) (k int) {
	for w := q.head.next; w.wants == 1 && k < n; w = w.next {
		k++
	}
	return k
}

func (q *waiters) hand(w *waiter, first int64, n int) {
	q.remove(w)
	w.first, w.n = first, n
	close(w.ready)
}

func (w *waiter) fail(err error) {
	w.err = err
	close(w.ready)
}

func (q *waiters) failAll(err error) {
	for q.head.next != &q.head {
		w := q.head.next
		q.remove(w)
		w.fail(err)
	}
}

// close fails all who wait, and all who will.
func (q *waiters) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.failAll(ErrClosed)
	if q.watch != nil {
		q.watch.Stop()
	}
}
