package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/grants"
)

// held is a Lease of a Store: a keeper, and the goroutine that drives it.
type held struct {
	class Class

	mu     sync.Mutex // not held while the keeper is in a call
	keeper keeper

	cursor  atomic.Int64 // the highest tick that was wanted
	state   atomic.Pointer[state]
	changed broadcast.Signal

	wake    chan struct{}
	cancel  context.CancelFunc // ends the keeper's calls
	running sync.WaitGroup
	closing sync.Once
	err     error // of the release
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
func hold(class Class, a acquirer) *held {
	ctx, cancel := context.WithCancel(context.Background())
	a.caller = a.c.caller(ctx, a.store, a.need)
	l := &held{class: class, wake: make(chan struct{}, 1), cancel: cancel,
		keeper: newKeeper(a.caller, a.h, a.shown)}
	l.keeper.act = l.act
	l.cursor.Store(noTick)
	l.publish()
	h := &l.keeper.h
	a.c.Logger.Info("worker id leased", "worker", h.worker, "class", class, "from",
		grants.Start(h.pool, h.first), "until", h.until())
	l.running.Go(l.run)
	if a.fills() {
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
	l.keeper.h.restore()
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

// act lets others have the lease while the keeper makes a call, or waits.
func (l *held) act(call func()) moment {
	l.publish()
	l.mu.Unlock()
	defer l.mu.Lock()
	call()
	return l.keeper.c.moment(l.cursor.Load())
}

// run drives the keeper until the lease is lost or released.
func (l *held) run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.publish()
	at := l.keeper.at
	for {
		wait, over := l.keeper.renew(at)
		if over {
			return
		}
		wake := l.wake
		if l.keeper.failures > 0 {
			wake = nil
		}
		at = l.act(func() {
			select {
			case <-wake:
			case <-time.After(wait):
			case <-l.keeper.ctx.Done():
			}
		})
	}
}

// Release gives the row back, so that the next holder can start right above last.
func (l *held) Release(ctx context.Context, last int64) error {
	l.closing.Do(func() {
		l.cancel()
		l.running.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		defer l.publish()
		l.keeper.ctx = ctx
		l.err = l.keeper.release(last)
	})
	asynclog.Flush(l.keeper.c.Logger) // the process may be about to exit
	return l.err
}
