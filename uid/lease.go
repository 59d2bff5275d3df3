package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// heldLease is the lease in force. It is replaced as a whole when the lease is lost and
// another has been acquired.
type heldLease struct {
	worker.Lease
	number    int64 // the first is 1
	restores  int64 // what core.restores was when the assigner was asked for it
	abandoned bool  // the generator gave it up by itself, as its copy may have it too

	// From earliest on, all ids are greater than Config.Above. It also keeps an unfenced worker
	// id from repeating what it minted after an earlier start, as long as the clock is not set
	// back in between:
	//
	//	every minted tick >= earliest > the clock's tick when the lease was acquired
	//	every minted tick <= the clock's tick when it was minted, if noBorrow
	//
	// So the ticks of the earlier start, which were minted before this start, lie below
	// earliest.
	earliest int64 // the first tick that may be minted; math.MinInt64: any that is granted
	noBorrow bool
}

// hold makes a heldLease of a lease that was just acquired.
func (k *core) hold(l worker.Lease, number, restores int64) *heldLease {
	h := &heldLease{Lease: l, number: number, restores: restores,
		earliest: k.c.firstAbove(l.WorkerID())}
	if k.unborrowed(l) {
		h.earliest, h.noBorrow = max(h.earliest, k.c.Layout.unixTick(k.c.Now())+1), true
	}
	return h
}

// unborrowed reports whether no tick may be minted with the worker id before the tick begins.
// A lease that grants ticks one by one begins above its last holder's, whatever its class is.
func (k *core) unborrowed(l worker.Lease) bool {
	lo, _ := l.Grant()
	return l.Class() == worker.Unfenced && lo == math.MinInt64 && !k.c.AllowRepeats
}

// giveBack releases the worker id, in the time that any store that answers needs and that a
// shutdown has. A worker id that the generator abandoned is not released: a copy of the process
// may continue to use it, and no other process must get it.
func (h *heldLease) giveBack(last int64) error {
	if h.abandoned {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return h.Release(ctx, last)
}

// lost returns why the lease grants no more, or nil.
func (h *heldLease) lost() error {
	if h.abandoned {
		return errRestored
	}
	return h.Err()
}

// mustFlush reports whether what was granted must not be handed out any more.
func (h *heldLease) mustFlush() bool {
	return h.abandoned || errors.Is(h.Err(), worker.ErrFenced)
}

// errRestored is why a generator gives up a worker id that its copy has too.
var errRestored = errors.New(
	"the process was restored from a snapshot, its copy may have the worker id too")

// granted returns the ticks that may be minted: the lease's within the layout's. why is the
// reason that there are none above hi, and final says that there never will be.
func (k *core) granted(h *heldLease) (lo, hi int64, why error, final bool) {
	lo, hi = h.Grant()
	if lost := h.lost(); lost != nil {
		why = fmt.Errorf("%w: worker id %d: %w", ErrLeaseLost, h.WorkerID(), lost)
		final = k.c.OnLeaseLost == policy.GiveUp
		if other := k.noOther.Load(); other != nil {
			why = fmt.Errorf("%w; %w", why, *other)
		}
		if h.mustFlush() {
			return 0, -1, why, final
		}
	} else if hi >= k.lastTick {
		why, final = k.over, true
	}
	return max(lo, h.earliest, k.firstTick), min(hi, k.lastTick), why, final
}

// ungrantedAbove says why no tick above hi may be minted now; lo, hi and why are granted's.
func (k *core) ungrantedAbove(h *heldLease, lo, hi int64, why error) error {
	if why != nil {
		return why
	}
	err := fmt.Errorf("%w: it grants none, and more has been asked for", ErrGrantEnded)
	if lo <= hi {
		err = fmt.Errorf("%w: it grants ids until %s, and more has been asked for", ErrGrantEnded,
			timeString(k.c.Layout.tickStart(hi+1)))
	}
	if l, ok := h.Lease.(interface{ Stalled() error }); ok && l.Stalled() != nil {
		err = fmt.Errorf("%w: %w", err, l.Stalled())
	}
	return err
}

// check says why a lease cannot be used.
func (k *core) check(l worker.Lease) error {
	id := l.WorkerID()
	if err := l.Err(); err != nil {
		return fmt.Errorf("%w: worker id %d at once: %w", ErrLeaseLost, id, err)
	}
	if !fits(id, k.c.Layout.WorkerBits) {
		return fmt.Errorf("%w: worker id %d, the layout %v holds 0 to %d: choose one with more worker "+
			"bits", ErrWorkerID, id, k.c.Layout, k.c.Layout.MaxWorker())
	}
	if err := k.c.hasAbove(id); err != nil {
		return err
	}
	if unit := k.c.Layout.Unit; unit > patience && k.unborrowed(l) {
		return fmt.Errorf("%w: worker id %d is not fenced, so its first id, of the next tick, would "+
			"be as far off as %v: "+
			"use worker.Disposable or worker.Leased, which need not wait, or set Config.AllowRepeats if "+
			"ids may be duplicated after a restart", ErrConfig, id, unit)
	}
	return nil
}

// assign asks the assigner for a worker id.
func (k *core) assign(ctx context.Context) (worker.Lease, error) {
	l, err := k.assigner.Assign(asynclog.With(ctx, k.c.Logger), k.c.Layout.Need())
	switch {
	case errors.Is(err, worker.ErrIDRange):
		return nil, fmt.Errorf("%w: %w", ErrWorkerID, err)
	case err != nil:
		return nil, fmt.Errorf("uid: no worker id: %w", err)
	}
	if err := k.check(l); err != nil {
		return nil, unused(ctx, l, err)
	}
	return l, nil
}

// unused gives back a lease with which no tick was minted, because of err.
func unused(ctx context.Context, l worker.Lease, err error) error {
	if cleanup := l.Release(ctx, math.MinInt64); cleanup != nil {
		err = fmt.Errorf("%w; and releasing it: %w", err, cleanup)
	}
	return err
}
