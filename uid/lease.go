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

// heldLease is the lease in force. It is replaced as a whole when the lease is lost
// and another was got.
type heldLease struct {
	worker.Lease
	number    int64 // the first is 1
	restores  int64 // what core.restores was when the assigner was asked for it
	abandoned error // why the generator gave it up by itself; nil: it did not

	// What keeps an unfenced worker id from repeating what an earlier start of it
	// minted, as long as the clock is not set back in between:
	//
	//	every minted tick >= earliest > the clock's tick when the lease was got
	//	every minted tick <= the clock's tick when it was minted, if noBorrow
	//
	// so the ticks of the earlier start, which were minted before this one, lie
	// below earliest.
	earliest int64 // math.MinInt64: any that is granted
	noBorrow bool
}

// hold puts a lease that was just got to use.
func (k *core) hold(l worker.Lease, number, restores int64) *heldLease {
	h := &heldLease{Lease: l, number: number, restores: restores, earliest: math.MinInt64}
	if l.Class() == worker.Unfenced && !k.c.AllowRepeats {
		h.earliest, h.noBorrow = k.c.Layout.unixTick(k.c.Now())+1, true
	}
	return h
}

// Release gives the worker id back, unless the generator abandoned it as a copy of
// the process may go on with it: nobody else must get it then.
func (h *heldLease) Release(ctx context.Context, last int64) error {
	if h.abandoned != nil {
		return nil
	}
	return h.Lease.Release(ctx, last)
}

// giveBack is Release in the time that any store that answers needs, and that a
// shutdown has.
func (h *heldLease) giveBack(last int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return h.Release(ctx, last)
}

// lost is why the lease grants no more, or nil.
func (h *heldLease) lost() error {
	if h.abandoned != nil {
		return h.abandoned
	}
	return h.Err()
}

// mustFlush: what was granted must not be handed out any more.
func (h *heldLease) mustFlush() bool {
	return h.abandoned != nil || errors.Is(h.Err(), worker.ErrFenced)
}

// restored counts the times that the lease gave up what it had granted, if it is
// one that does.
func (h *heldLease) restored() int64 {
	if l, ok := h.Lease.(worker.Restorable); ok {
		return l.Restores()
	}
	return 0
}

// errRestored is why a generator gives up a worker id that its copy has too.
var errRestored = errors.New("the process was restored from a snapshot, its copy may have the worker id too")

// granted returns the ticks that may be minted, the lease's within the layout's.
// why is the reason that there are none above hi; final, that there never will be.
func (k *core) granted(h *heldLease) (lo, hi int64, why error, final bool) {
	lo, hi = h.Grant()
	if lost := h.lost(); lost != nil {
		why = fmt.Errorf("%w: worker id %d: %w", ErrLeaseLost, h.WorkerID(), lost)
		final = k.c.OnLeaseLost == policy.GiveUp
		if h.mustFlush() {
			return 0, -1, why, final
		}
	} else if hi >= k.lastTick {
		why, final = k.over, true
	}
	return max(lo, h.earliest, k.firstTick), min(hi, k.lastTick), why, final
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
	// grantChanged: there may be more to mint, or less.
	grantChanged()
	// flush drops ids that were made and not handed out.
	flush()
	// replaceLease puts another lease in force. Whatever is minted from then on lies
	// above every tick minted before (I11 of package worker's rules), the highest
	// of which it returns: the lease before it, old, has stopped minting there.
	replaceLease(*heldLease) (old *heldLease, last int64)
	// lastMinted is the highest tick ever minted; math.MinInt64 for none.
	lastMinted() int64
}

// follow keeps a generator on a lease until it closes.
func (k *core) follow(m minter) {
	var restores restoreWatch
	for k.life.Err() == nil {
		h := k.held.Load()
		changed := h.Changed() // before looking: nothing falls in between
		if restores.more(h) {
			m.flush()
		}
		switch lost := h.lost(); {
		case lost == nil:
			m.grantChanged()
		case k.c.OnLeaseLost == policy.GiveUp:
			k.drop(h, m) // first act, then tell
			k.c.Logger.Error("lost the worker id, and OnLeaseLost is GiveUp: no more ids", "worker", h.WorkerID(), "reason", lost)
			return
		default:
			k.drop(h, m)
			k.c.Logger.Warn("lost the worker id; acquiring another", "worker", h.WorkerID(), "reason", lost)
			k.reacquire(h, m)
			restores = restoreWatch{} // another lease counts from there, and may have begun to
			continue
		}
		select {
		case <-changed:
		case <-k.abandoned:
		case <-k.life.Done():
		}
	}
}

// restoreWatch is what a generator has seen of a lease that finds out by itself that
// the machine may have a copy.
type restoreWatch struct {
	times int64
	lo    int64 // of the grant then
	again bool  // the grant may not yet have been without what was given up
}

// more reports whether what was made must be flushed: when the lease has counted one
// more restore, and when its grant then begins elsewhere. A lease that shows what is
// left before it counts loses nothing by the second time; one that counts first had
// ids made after the first of what it was about to give up.
func (w *restoreWatch) more(h *heldLease) (flush bool) {
	times := h.restored()
	lo, _ := h.Grant()
	switch {
	case times != w.times:
		*w = restoreWatch{times, lo, true}
		return true
	case w.again && lo != w.lo:
		w.again = false
		return true
	}
	return false
}

// drop takes back what a lost lease granted, if it must be.
func (k *core) drop(h *heldLease, m minter) {
	if errors.Is(h.lost(), worker.ErrRolledBack) {
		k.rollbacks.Add(1)
	}
	if h.mustFlush() {
		m.flush()
	}
	m.grantChanged()
}

// reacquire asks for another worker id until there is one or the generator is
// closed, and gives the old one back when there is. Takes go on meanwhile with what
// is left, and then wait.
func (k *core) reacquire(lost *heldLease, m minter) {
	failure, begin := notice.Failure{Patience: 100 * time.Millisecond}, time.Now()
	for attempt := 0; ; attempt++ {
		restores := k.restores.Load()
		l, err := k.assign(k.life)
		if err == nil {
			// What is replaced may have been abandoned since it was lost.
			old, last := m.replaceLease(k.hold(l, lost.number+1, restores))
			// Only now nothing is minted with the old one any more. Nobody waits for
			// its release but Close.
			k.following.Go(func() { _ = old.giveBack(last) })
			k.c.Logger.Info("acquired another worker id", "worker", l.WorkerID(), "class", l.Class())
			return
		}
		if failure.Meet(time.Since(begin), err) {
			k.c.Logger.Error("cannot acquire another worker id; retrying", "reason", err)
		}
		select {
		case <-time.After(min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)):
		case <-k.life.Done():
			return
		}
	}
}

// replaceHeld puts a lease in force, and returns what it replaced. One that was on
// its way to this process when its machine was restored is on its way to the copy,
// too.
func (k *core) replaceHeld(h *heldLease) (old *heldLease) {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	if h.restores != k.restores.Load() {
		h = h.afterRestore()
	}
	return k.held.Swap(h)
}

// restored gives up what was granted before a snapshot of the machine.
func (k *core) restored() {
	k.replacing.Lock()
	defer k.replacing.Unlock()
	k.restores.Add(1)
	k.held.Store(k.held.Load().afterRestore())
	select {
	case k.abandoned <- struct{}{}:
	default: // one is pending
	}
}

// afterRestore is the lease after a restore. One that knows how begins above what it
// granted; any other is abandoned for a new worker id.
func (h *heldLease) afterRestore() *heldLease {
	if l, ok := h.Lease.(worker.Restorable); ok {
		l.AfterRestore()
		return h
	}
	abandoned := *h
	abandoned.abandoned = errRestored
	return &abandoned
}
