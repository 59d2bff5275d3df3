package worker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/internal/goroutine"
	"github.com/ringuid/ringuid/internal/grants"
)

// held is a Lease of a Store: a keeper, and the goroutine that drives it.
type held struct {
	once
	class Class

	mu     sync.Mutex // not held while the keeper is in a call; see unlock
	keeper keeper

	state   atomic.Pointer[state]
	changed broadcast.Signal

	wake    broadcast.Signal
	cancel  context.CancelFunc // ends the keeper's calls
	running sync.WaitGroup
	closing sync.Once
	err     error // of the release
}

// state is what Grant, GrantedUntil, Err, Stalled, Restores and ClockOffset return. It changes as a
// whole: who sees that a restore was counted also sees that the grants before it were given up.
type state struct {
	lo, hi   int64
	until    time.Time // when all that was granted ends, with what begins after hi
	err      error
	stalled  error
	restores int64
	clocks   offset
}

func (k *keeper) state() state {
	lo, hi := k.h.grant(k.cursor)
	return state{lo: lo, hi: hi, until: k.h.until(), err: k.h.lost, stalled: k.stalled,
		restores: k.h.restores, clocks: k.clocks}
}

// hold returns the lease of the row that a has taken.
func hold(class Class, a acquirer) *held {
	ctx, cancel := context.WithCancel(context.Background())
	clocks, differ := a.clocks, a.differ
	a.caller = a.c.caller(ctx, a.store, a.need)
	a.clocks, a.differ = clocks, differ
	l := &held{class: class, cancel: cancel, keeper: newKeeper(a.caller, a.h)}
	l.keeper.act = l.act
	l.state.Store(new(l.keeper.state()))
	first, now := grants.Start(a.h.view.Pool, a.h.first), a.c.clock.Wall().UTC()
	a.c.Logger.Info("worker id leased", "worker", a.h.worker, "class", class,
		"layout", layoutName(a.need.Fingerprint), "times_in_ids_from", later(first, now),
		"ahead_of_the_clock", max(0, first.Sub(now).Round(time.Second)))
	ended := func(why any) {
		a.c.Logger.Error("panic or Goexit of the store's client; going on", "panic", why)
	}
	goroutine.Keep(ctx, l.running.Go, l.run, ended)
	goroutine.Keep(ctx, l.running.Go, a.fill, ended)
	return l
}

// Take refuses a generator of another layout: the worker id may be leased in its layout as well.
func (l *held) Take(n Need) error {
	own := l.keeper.need
	if err := l.once.Take(n); err != nil || n.pool() == own.pool() {
		return err
	}
	l.AfterRestore() // the worker id becomes free when the lease ends
	return fmt.Errorf("%w: the lease is for layout %s, and the generator's is %s: hand on the need "+
		"that Assign is called with", ErrClaim, layoutName(own.Fingerprint), layoutName(n.Fingerprint))
}

func (l *held) WorkerID() int64          { return l.keeper.h.worker }
func (l *held) Class() Class             { return l.class }
func (l *held) Changed() <-chan struct{} { return l.changed.Next() }
func (l *held) Err() error               { return l.state.Load().err }
func (l *held) Restores() int64          { return l.state.Load().restores }
func (l *held) GrantedUntil() time.Time  { return l.state.Load().until }

// Stalled returns why the last attempt to renew the lease failed, and nil if it did not.
func (l *held) Stalled() error { return l.state.Load().stalled }

// ClockOffset returns how far this machine's clock is ahead of the store's, or behind it if
// negative, and how much that may be wrong; 0 if it is not known.
func (l *held) ClockOffset() (offset, within time.Duration) {
	o := l.state.Load().clocks
	return o.by, o.within
}

func (l *held) Grant() (lo, hi int64) {
	s := l.state.Load()
	return s.lo, s.hi
}

// Want notes tick, and wakes the keeper if it has to ask for more. Once a span is used up, the
// next one that was granted is shown at once: the keeper may be in a call, or backing off.
func (l *held) Want(tick int64) {
	// Not more than the first tick that is not granted: a generator whose clock was years ahead for
	// a moment must not keep asking for all the ticks up to there.
	wanted := min(tick, l.state.Load().hi+1)
	l.mu.Lock()
	defer l.unlock()
	if wanted > l.keeper.cursor {
		if l.keeper.cursor = wanted; wanted >= l.keeper.h.low() {
			l.wake.Send()
		}
	}
}

func (l *held) AfterRestore() {
	l.mu.Lock()
	l.keeper.h.giveUp()
	l.unlock()
	l.cancel()
}

// unlock publishes the keeper's state as the lease's, and unlocks mu.
func (l *held) unlock() {
	if s := l.keeper.state(); s != *l.state.Load() {
		l.state.Store(new(s))
		l.changed.Send()
	}
	l.mu.Unlock()
}

// act unlocks the lease for others while the keeper makes a call or waits.
func (l *held) act(call func()) moment {
	l.unlock()
	defer l.mu.Lock()
	call()
	return l.keeper.c.moment()
}

// run drives the keeper until the lease is lost or released.
func (l *held) run() {
	l.mu.Lock()
	defer l.unlock()
	for k := &l.keeper; k.ctx.Err() == nil; {
		wake := l.wake.Next()
		wait, over := k.renew()
		if over {
			return
		}
		if k.failure.Met > 0 {
			wake = nil
		}
		k.at = l.act(func() { k.sleep(wait, wake) })
	}
}

func (l *held) Release(ctx context.Context, last int64) error {
	l.closing.Do(func() {
		l.cancel()
		l.running.Wait()
		l.mu.Lock()
		defer l.unlock()
		l.keeper.ctx = ctx
		l.err = l.keeper.release(last)
	})
	asynclog.Flush(l.keeper.c.Logger) // the process may be about to exit
	return l.err
}
