package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/notice"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// tenure is the lease in force. It is replaced as a whole when the lease is lost
// and another was got.
type tenure struct {
	worker.Lease
	number int64 // the first is 1
	asked  int64 // what core.restorals was when the assigner was asked for it
	given  error // why the generator gave it up by itself; nil: it did not

	// What keeps an unfenced worker id from repeating what an earlier start of it
	// minted, as long as the clock is not set back in between:
	//
	//	every minted tick >= first > the clock's tick when the lease was got
	//	every minted tick <= the clock's tick when it was minted, if punctual
	//
	// so the ticks of the earlier start, which were minted before this one, lie
	// below first.
	first    int64 // math.MinInt64: any that is granted
	punctual bool
}

// newTenure puts a lease that was just got to use.
func (k *core) newTenure(l worker.Lease, number, asked int64) *tenure {
	t := &tenure{Lease: l, number: number, asked: asked, first: math.MinInt64}
	if l.Class() == worker.Unfenced && !k.c.AllowRepeats {
		t.first, t.punctual = k.c.Layout.unixTick(k.c.Now())+1, true
	}
	return t
}

// Release gives the worker id back, unless the generator gave it up as a copy of
// the process may go on with it: nobody else must get it then.
func (t *tenure) Release(ctx context.Context, last int64) error {
	if t.given != nil {
		return nil
	}
	return t.Lease.Release(ctx, last)
}

// giveBack is Release in the time that any store that answers needs, and that a
// shutdown has.
func (t *tenure) giveBack(last int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return t.Release(ctx, last)
}

// lost is why the lease grants no more, or nil.
func (t *tenure) lost() error {
	if t.given != nil {
		return t.given
	}
	return t.Err()
}

// flushes: what was granted must not be handed out any more.
func (t *tenure) flushes() bool { return t.given != nil || errors.Is(t.Err(), worker.ErrFenced) }

// restores counts the times that the lease gave up what it had granted, if it is
// one that does.
func (t *tenure) restores() int64 {
	if l, ok := t.Lease.(worker.Restorable); ok {
		return l.Restores()
	}
	return 0
}

// errRestored is why a generator gives up a worker id that its copy has too.
var errRestored = errors.New("the process was restored from a snapshot, its copy may have the worker id too")

// granted returns the ticks that may be minted, the lease's within the layout's.
// why is the reason that there are none above hi; final, that there never will be.
func (k *core) granted(t *tenure) (lo, hi int64, why error, final bool) {
	lo, hi = t.Grant()
	if lost := t.lost(); lost != nil {
		why = fmt.Errorf("%w: worker id %d: %w", ErrLeaseLost, t.WorkerID(), lost)
		final = k.c.OnLeaseLost == policy.GiveUp
		if t.flushes() {
			return 0, -1, why, final
		}
	} else if hi >= k.lastTick {
		why, final = k.over, true
	}
	return max(lo, t.first, k.firstTick), min(hi, k.lastTick), why, final
}

// check says why a lease cannot be used.
func (k *core) check(l worker.Lease) error {
	id := l.WorkerID()
	if err := l.Err(); err != nil {
		return fmt.Errorf("%w: worker id %d at once: %w", ErrLeaseLost, id, err)
	}
	if !fits(id, k.c.Layout.WorkerBits) {
		return fmt.Errorf("%w: worker id %d, the layout %v holds 0 to %d: choose one with more worker bits", ErrWorkerID, id, k.c.Layout, k.c.Layout.MaxWorker())
	}
	if unit := k.c.Layout.Unit; unit > patience && l.Class() == worker.Unfenced && !k.c.AllowRepeats {
		return fmt.Errorf("%w: worker id %d is not fenced, so its first id, of the next tick, would be as far off as %v: "+
			"use worker.Disposable or worker.Leased, which need not wait, or set Config.AllowRepeats if ids may come again after a restart", ErrConfig, id, unit)
	}
	return nil
}

// assign asks the assigner for a worker id.
func (k *core) assign(ctx context.Context) (worker.Lease, error) {
	l, err := k.assigner.Assign(ctx, k.c.Layout.Need())
	switch {
	case errors.Is(err, worker.ErrRange):
		return nil, fmt.Errorf("%w: %w", ErrWorkerID, err)
	case err != nil:
		return nil, fmt.Errorf("uid: no worker id: %w", err)
	}
	if err := k.check(l); err != nil {
		if cleanup := l.Release(ctx, math.MinInt64); cleanup != nil {
			err = fmt.Errorf("%w; and giving it back: %w", err, cleanup)
		}
		return nil, err
	}
	return l, nil
}

// minter is what a generator does about its lease.
type minter interface {
	// moved: the grant has changed.
	moved()
	// flush drops ids that were made and not handed out.
	flush()
	// swap puts another lease in force. Whatever is minted from then on lies
	// above every tick minted before (I11 of package worker's rules), the highest
	// of which it returns: the tenure before it, old, has stopped minting there.
	swap(*tenure) (old *tenure, last int64)
	// lastMinted is the highest tick ever minted; math.MinInt64 for none.
	lastMinted() int64
}

// follow keeps a generator on a lease until it closes.
func (k *core) follow(m minter) {
	var seen restored
	for k.life.Err() == nil {
		t := k.tenure.Load()
		changed := t.Changed() // before looking: nothing falls in between
		if seen.look(t) {
			m.flush()
		}
		switch lost := t.lost(); {
		case lost == nil:
			m.moved()
		case k.c.OnLeaseLost == policy.GiveUp:
			k.drop(t, m) // first act, then tell
			k.c.Logger.Error("the worker id is lost for good", "worker", t.WorkerID(), "reason", lost)
			return
		default:
			k.drop(t, m)
			k.c.Logger.Warn("the worker id is lost; asking for another", "worker", t.WorkerID(), "reason", lost)
			k.reacquire(t, m)
			seen = restored{} // another lease counts from there, and may have begun to
			continue
		}
		select {
		case <-changed:
		case <-k.renounced:
		case <-k.life.Done():
		}
	}
}

// restored is what a generator has seen of a lease that finds out by itself that the
// machine may have a copy.
type restored struct {
	times int64
	lo    int64 // of the grant then
	again bool  // the grant may not yet have been without what was given up
}

// look reports whether what was made must be flushed: when the lease has counted
// one more, and when its grant then begins elsewhere. A lease that shows what is
// left before it counts loses nothing by the second time; one that counts first
// had ids made after the first of what it was about to give up.
func (r *restored) look(t *tenure) (flush bool) {
	times := t.restores()
	lo, _ := t.Grant()
	switch {
	case times != r.times:
		*r = restored{times, lo, true}
		return true
	case r.again && lo != r.lo:
		r.again = false
		return true
	}
	return false
}

// drop takes back what a lost lease granted, if it must be.
func (k *core) drop(t *tenure, m minter) {
	if errors.Is(t.lost(), worker.ErrRolledBack) {
		k.rollbacks.Add(1)
	}
	if t.flushes() {
		m.flush()
	}
	m.moved()
}

// reacquire asks for another worker id until there is one or the generator is
// closed, and gives the old one back when there is. Takes go on meanwhile with what
// is left, and then wait.
func (k *core) reacquire(lost *tenure, m minter) {
	failure, begin := notice.Failure{Patience: 100 * time.Millisecond}, time.Now()
	for attempt := 0; ; attempt++ {
		asked := k.restorals.Load()
		l, err := k.assign(k.life)
		if err == nil {
			// What is replaced may have been given up since it was lost.
			old, last := m.swap(k.newTenure(l, lost.number+1, asked))
			// Only now nothing is minted with the old one any more. Nobody waits for
			// its release but Close.
			k.following.Go(func() { _ = old.giveBack(last) })
			k.c.Logger.Info("another worker id", "worker", l.WorkerID(), "class", l.Class())
			return
		}
		if failure.Meet(time.Since(begin), err) {
			k.c.Logger.Error("no other worker id yet; retrying", "reason", err)
		}
		select {
		case <-time.After(min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)):
		case <-k.life.Done():
			return
		}
	}
}

// put puts a lease in force, and returns what it replaced. One that was on its way
// to this process when its machine was restored is on its way to the copy, too.
func (k *core) put(t *tenure) (old *tenure) {
	k.exchange.Lock()
	defer k.exchange.Unlock()
	if t.asked != k.restorals.Load() {
		t = t.renounced()
	}
	return k.tenure.Swap(t)
}

// restored gives up what was granted before a snapshot of the machine.
func (k *core) restored() {
	k.exchange.Lock()
	defer k.exchange.Unlock()
	k.restorals.Add(1)
	k.tenure.Store(k.tenure.Load().renounced())
	select {
	case k.renounced <- struct{}{}:
	default: // one is pending
	}
}

// renounced is the tenure after a restore. A lease that knows how begins above
// what it granted; any other is given up for a new worker id.
func (t *tenure) renounced() *tenure {
	if l, ok := t.Lease.(worker.Restorable); ok {
		l.AfterRestore()
		return t
	}
	given := *t
	given.given = errRestored
	return &given
}
