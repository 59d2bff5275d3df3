package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// core is what both generators stand on: a layout whose time is running and a
// lease on a worker id that fits it.
type core struct {
	c     Config // defaults filled in
	lease worker.Lease

	// The layout's first and last tick, counted from the Unix epoch as a lease
	// counts.
	firstTick, lastTick int64

	life    context.Context // ends with Close, its cause ErrClosed
	end     context.CancelCauseFunc
	closing sync.Once
	closed  error // what Close returned
}

// open checks the clock and gets a worker id. The settings have been checked.
func open(ctx context.Context, a worker.Assigner, c Config) (*core, error) {
	if a == nil {
		return nil, fmt.Errorf("%w: no worker.Assigner: pass worker.Static, worker.Disposable or another", ErrConfig)
	}
	if err := c.checkTime(); err != nil {
		return nil, err
	}
	lease, err := a.Assign(ctx, worker.Need{
		Unit:        c.Layout.Unit,
		MaxID:       c.Layout.MaxWorker(),
		Fingerprint: c.Layout.Fingerprint(),
	})
	switch {
	case errors.Is(err, worker.ErrRange):
		return nil, fmt.Errorf("%w: %w", ErrWorkerID, err)
	case err != nil:
		return nil, fmt.Errorf("uid: no worker id: %w", err)
	}
	k := &core{c: c, lease: lease, firstTick: c.Layout.epochTick()}
	k.lastTick = k.firstTick + c.Layout.maxTick()
	if k.lastTick < k.firstTick {
		k.lastTick = math.MaxInt64 // a layout of 62 time bits and more
	}
	if id := lease.WorkerID(); !fits(id, c.Layout.WorkerBits) {
		err := fmt.Errorf("%w: worker id %d, the layout %v holds 0 to %d: choose one with more worker bits", ErrWorkerID, id, c.Layout, c.Layout.MaxWorker())
		return nil, withCleanup(err, lease.Release(ctx, math.MinInt64))
	}
	k.life, k.end = context.WithCancelCause(context.Background())
	if lease.Class() == worker.Unfenced {
		c.Logger.Warn("the worker id is not fenced: nobody else, and no earlier start that borrowed the future, may have it", "worker", lease.WorkerID())
	}
	return k, nil
}

// withCleanup adds what went wrong while cleaning up after err.
func withCleanup(err, cleanup error) error {
	if cleanup == nil {
		return err
	}
	return fmt.Errorf("%w; and releasing the worker id: %w", err, cleanup)
}

// checkTime refuses a layout whose time has not begun or is over.
func (c Config) checkTime() error {
	now, end := c.Now(), c.Layout.End()
	switch {
	case now.Before(c.Layout.Epoch):
		return fmt.Errorf("%w: its epoch, %s, is ahead of now, %s: set an epoch in the past, or the clock", ErrLayout, timeString(c.Layout.Epoch), timeString(now))
	case !now.Before(end):
		return fmt.Errorf("%w: %v ended at %s: choose a later epoch or more time bits, and see that old and new ids cannot be equal", ErrTimeOver, c.Layout, timeString(end))
	case end.Before(now.AddDate(1, 0, 0)):
		c.Logger.Warn("the layout's time is over in less than a year", "layout", c.Layout.String(), "end", end)
	}
	return nil
}

// Layout returns the layout of the generator's ids.
func (k *core) Layout() Layout { return k.c.Layout }

// ParseUID splits an id of the generator's layout. Errors wrap ErrForeign.
func (k *core) ParseUID(id ID) (Parts, error) { return k.c.Layout.Parse(id) }

// grant returns the ticks that may be minted: the lease's within the layout's.
// The error says that there will be none above hi.
func (k *core) grant() (lo, hi int64, err error) {
	lo, hi = k.lease.Grant()
	if lost := k.lease.Err(); lost != nil {
		err = fmt.Errorf("%w: worker id %d: %w", ErrLeaseLost, k.lease.WorkerID(), lost)
		if isFenced(lost) {
			return 0, -1, err
		}
	} else if hi >= k.lastTick {
		err = k.timeOver()
	}
	return max(lo, k.firstTick), min(hi, k.lastTick), err
}

func (k *core) timeOver() error {
	return fmt.Errorf("%w: %v ended at %s", ErrTimeOver, k.c.Layout, timeString(k.c.Layout.End()))
}

// close runs stop once, which ends minting and returns the highest tick minted,
// and gives the worker id back.
func (k *core) close(stop func() (last int64)) error {
	k.closing.Do(func() {
		k.end(ErrClosed)
		last := stop()
		// Long enough for any store that answers, short enough for a shutdown.
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := k.lease.Release(ctx, last); err != nil {
			k.closed = fmt.Errorf("uid: releasing worker id %d: %w", k.lease.WorkerID(), err)
		}
	})
	return k.closed
}

// stats fills in what both generators know. last is the highest tick minted.
func (k *core) stats(last int64) Stats {
	s := Stats{
		WorkerID:  k.lease.WorkerID(),
		Class:     k.lease.Class(),
		LayoutEnd: k.c.Layout.End(),
	}
	if _, hi := k.lease.Grant(); hi < k.lastTick {
		s.GrantedUntil = k.c.Layout.tickStart(hi).Add(k.c.Layout.Unit)
	}
	if last != math.MinInt64 {
		s.LastTick = k.c.Layout.tickStart(last)
		s.Ahead = s.LastTick.Add(k.c.Layout.Unit).Sub(k.c.Now())
	}
	return s
}
