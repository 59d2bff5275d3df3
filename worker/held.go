package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// held is a Lease of a Store: a keeper, and the goroutine that drives it.
type held struct {
	store store.Store
	c     Claim
	class Class

	mu     sync.Mutex
	keeper keeper

	cursor  atomic.Int64 // the highest tick that was wanted
	state   atomic.Pointer[state]
	changed broadcast.Signal

	wake       chan struct{}
	ctx        context.Context // ends with Release
	cancel     context.CancelFunc
	running    sync.WaitGroup
	unfinished answer // to the call that was under way then
	closing    sync.Once
}

// state is what Grant, Err and Restores return. It changes as a whole: whoever sees that a
// restore was counted also sees that the grants before it are given up.
type state struct {
	lo, hi   int64
	renew    int64 // wanting a tick above it wakes the keeper
	err      error
	restores int64
}

// state returns the state of a lease whose generator is at cursor.
func (k *keeper) state(cursor int64) state {
	k.h.want(cursor)
	lo, hi := k.h.grant()
	return state{lo: lo, hi: hi, renew: min(hi, k.h.enough()), err: k.h.lost, restores: k.h.restores}
}

// wants returns tick, or the first one that is not granted, if that is lower: a generator
// whose clock was years ahead for a moment must not go on wanting all of them.
func (s state) wants(tick int64) int64 { return min(tick, s.hi+1) }

// hold is the lease of a row that was taken.
func hold(s store.Store, class Class, a acquirer) *held {
	l := &held{store: s, c: a.c, class: class, wake: make(chan struct{}, 1),
		keeper: newKeeper(a.at, a.c, a.h, a.shown)}
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.cursor.Store(noTick)
	l.publish()
	h := &l.keeper.h
	l.c.Logger.Info("worker id leased", "worker", h.worker, "class", class, "from",
		grants.Start(h.pool, h.first), "until", h.until())
	l.running.Go(l.run)
	if a.fills() {
		a.act = a.c.caller(l.ctx, s, a.need).act
		l.running.Go(a.fill)
	}
	return l
}

func (l *held) WorkerID() int64          { return l.keeper.h.worker }
func (l *held) Class() Class             { return l.class }
func (l *held) Changed() <-chan struct{} { return l.changed.Next() }
func (l *held) Err() error               { return l.state.Load().err }

func (l *held) Grant() (lo, hi int64) {
	s := l.state.Load()
	return s.lo, s.hi
}

// Want notes tick, and wakes the keeper if it has to ask for more. What was granted beyond
// the span that is used up is shown at once: the keeper may be in a call, or back off.
func (l *held) Want(tick int64) {
	s := l.state.Load()
	wanted := s.wants(tick)
	for {
		c := l.cursor.Load()
		if wanted <= c {
			return
		}
		if l.cursor.CompareAndSwap(c, wanted) {
			break
		}
	}
	if wanted > s.hi {
		l.mu.Lock()
		l.publish()
		l.mu.Unlock()
	}
	if wanted > s.renew {
		l.notify()
	}
}

func (l *held) notify() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// AfterRestore is described at Restorable.
func (l *held) AfterRestore() {
	l.mu.Lock()
	l.keeper.restore()
	l.publish()
	l.mu.Unlock()
	l.notify()
}

// Restores is described at Restorable.
func (l *held) Restores() int64 { return l.state.Load().restores }

// publish makes the keeper's state the lease's. The caller has the lock.
func (l *held) publish() {
	s := l.keeper.state(l.cursor.Load())
	was := l.state.Swap(&s)
	if was != nil && (was.lo != s.lo || was.hi != s.hi || was.err != s.err ||
		was.restores != s.restores) {
		l.changed.Send()
	}
}

// step makes one step of the keeper, and publishes its state.
func (l *held) step(a answer) action {
	return l.next(func(at moment) action { return l.keeper.step(at, a) })
}

func (l *held) next(step func(at moment) action) action {
	at := l.c.moment(l.cursor.Load())
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.publish()
	return step(at)
}

// run drives the keeper until the lease is lost or released.
func (l *held) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for next := l.step(answer{}); !next.over; {
		var a answer
		if next.call != nil {
			a = l.c.do(l.ctx, l.store, next.call)
		} else {
			wake := l.wake
			if next.backoff {
				wake = nil
			}
			timer.Reset(next.wait)
			select {
			case <-wake:
			case <-timer.C:
			case <-l.ctx.Done():
			}
		}
		if l.ctx.Err() != nil {
			l.unfinished = a
			return
		}
		next = l.step(a)
	}
}

// Release gives the row back, so that the next holder can start right above last.
func (l *held) Release(ctx context.Context, last int64) error {
	l.closing.Do(func() {
		l.cancel()
		l.running.Wait()
		next := l.next(func(moment) action { return l.keeper.release(l.unfinished, last) })
		for !next.over {
			next = l.step(l.c.do(ctx, l.store, next.call))
		}
	})
	asynclog.Flush(l.c.Logger) // the process may be about to exit
	return l.keeper.err
}
