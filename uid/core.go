package uid

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/worker"
)

// core is what both generators are built on: a layout whose time is running and a lease on a
// worker id that fits it.
type core struct {
	m        minter   // the generator
	c        settings // defaults filled in
	fields   fields   // of its layout
	assigner worker.Assigner
	held     atomic.Pointer[heldLease]

	replacing sync.Mutex   // held to replace the lease, so that none is from before a restore
	rollbacks atomic.Int64 // leases lost because the store went back in time
	restores  atomic.Int64 // how often what was granted had to be given up; changes under replacing

	noOther atomic.Pointer[error] // why there is no other worker id yet for one that was lost

	// The layout's first and last tick, counted from the Unix epoch as a lease
	// counts.
	firstTick, lastTick int64
	over                error // returned after lastTick, with what the clock shows

	start  time.Time        // where mono begins
	grants broadcast.Signal // the grant changed, or another lease is in force

	waits, rejected, faults atomic.Int64

	abandoned chan struct{}   // the lease was abandoned: at most one message is pending
	life      context.Context // ends with Close, its cause ErrClosed
	end       context.CancelCauseFunc
	kept      context.Context // ends with life, and when the lease is given up
	giveUp    context.CancelFunc
	following sync.WaitGroup
	releasing sync.WaitGroup // of leases that were replaced
	close     func() error   // calls closeOnce, once
}

// open checks the clock and gets a worker id for a generator whose settings have been checked.
// ahead is how far ahead of the clock ids may be made. The caller must then run follow.
func (k *core) open(ctx context.Context, m minter, a worker.Assigner, c settings,
	ahead time.Duration) error {
	if a == nil {
		return fmt.Errorf("%w: no worker.Assigner: pass worker.Static, worker.Disposable or another",
			ErrConfig)
	}
	if err := c.checkTime(); err != nil {
		return err
	}
	k.m, k.c, k.fields, k.assigner, k.start = m, c, c.Layout.fields(), a, time.Now()
	k.firstTick = c.Layout.epochTick()
	k.abandoned = make(chan struct{}, 1)
	k.lastTick = k.firstTick + c.Layout.maxTick()
	if k.lastTick < k.firstTick {
		k.lastTick = math.MaxInt64 // a layout of 62 time bits and more
	}
	k.over = fmt.Errorf("%w: %v ends at %s", ErrTimeOver, c.Layout, timeString(c.Layout.End()))
	if err := k.checkAbove(nil, ahead); err != nil {
		return err
	}
	l, err := k.assign(ctx)
	if err != nil {
		return err
	}
	if err := k.checkAbove(l, ahead); err != nil {
		return unused(ctx, l, err)
	}
	k.held.Store(k.hold(l, 1, 0))
	k.close = sync.OnceValue(k.closeOnce)
	k.life, k.end = context.WithCancelCause(context.Background())
	k.kept, k.giveUp = context.WithCancel(k.life)
	if l.Class() == worker.Unfenced { // keeping it unique is up to the user
		k.c.Logger.Warn("the worker id is not fenced: ids may be duplicated if another process has it, "+
			"or if the clock is set back across a restart (with AllowRepeats: at any restart)",
			"worker", l.WorkerID())
	}
	return nil
}

// checkTime refuses a layout whose time has not begun or is over.
func (c settings) checkTime() error {
	now, end := c.Now(), c.Layout.End()
	switch {
	case now.Before(c.Layout.Epoch):
		what := "set an epoch in the past, or the clock"
		if now.UTC().Year() == 2000 { // when a bubble's clock begins
			what = "in a bubble of testing/synctest set Config.Layout.Epoch to time.Now()"
		}
		return fmt.Errorf("%w: its epoch, %s, is ahead of now, %s: %s", ErrLayout,
			timeString(c.Layout.Epoch), timeString(now), what)
	case !now.Before(end):
		return fmt.Errorf("%w: %v ended at %s, and the clock shows %s: set the clock if it is wrong; "+
			"else choose a later epoch or more time bits, "+
			"and see that old and new ids cannot be equal", ErrTimeOver, c.Layout, timeString(end),
			timeString(now))
	case end.Before(now.AddDate(1, 0, 0)):
		c.Logger.Warn("the layout's time is over in less than a year", "layout", c.Layout.String(), "end",
			end)
	}
	return nil
}

// mono reads the monotonic clock. Where a call must be fast, it is written out.
func (k *core) mono() time.Duration { return time.Since(k.start) }

// Layout returns the layout of the generator's ids.
func (k *core) Layout() Layout { return k.c.Layout }

// ParseUID splits an id of the generator's layout. Errors wrap ErrForeign.
func (k *core) ParseUID(id ID) (Parts, error) { return k.c.Layout.Parse(id) }

// AppendUIDs appends n ids to dst, taking as many at once as lie in a row. It returns all n of
// them, or those it got and the error. n may exceed what the ring, or a tick, holds. The ids
// increase as those of GetUID do, with the same exceptions. Errors are those of GetUID, and
// ErrRange for an n that is negative or above 2^28.
func (k *core) AppendUIDs(dst []ID, n int) ([]ID, error) {
	return k.AppendUIDsContext(noContext, dst, n)
}

// Close ends the generator, drops the ids in its ring and releases the worker id, for which it
// waits at most five seconds. Every later take returns ErrClosed, and so do takes that are
// waiting. Calls after the first do nothing and return the first one's error.
func (k *core) Close() error { return k.close() }

func (k *core) closeOnce() (err error) {
	k.end(ErrClosed)
	k.following.Wait()
	k.m.stop()
	h := k.held.Load()
	if err = h.giveBack(k.m.lastMinted()); err != nil {
		err = fmt.Errorf("uid: releasing worker id %d: %w", h.WorkerID(), err)
	}
	k.releasing.Wait() // they began before
	asynclog.Flush(k.c.Logger)
	return err
}

// AfterRestore must be called when the machine was resumed from a snapshot of which another
// copy may run: it gives up what the lease had granted, and drops the ids in the ring. Calls
// that were in progress at the snapshot may still return ids that the copy also returns. With
// worker.Leased a default generator continues above all that was granted, up to a minute ahead
// of the clock (two ticks, if those are longer), as soon as more is granted: within a tick, or
// within some milliseconds if a tick is shorter.
//
// A worker id of worker.Static, Ordinal or FromEnv stays the same: make sure that the copies
// have different ones.
func (k *core) AfterRestore() { k.m.change(true, k.restored) }

// Stats returns a snapshot. It reads all slots of a ring, while the padder waits.
func (k *core) Stats() Stats {
	last, h := k.m.lastMinted(), k.held.Load()
	s := Stats{
		WorkerID:  h.WorkerID(),
		Class:     h.Class(),
		Leases:    h.number,
		LeaseLost: h.lost() != nil && k.life.Err() == nil,
		Rollbacks: k.rollbacks.Load(),
		LayoutEnd: k.c.Layout.End(),
		Waits:     k.waits.Load(),
		Rejected:  k.rejected.Load(),
		Faults:    k.faults.Load(),
	}
	switch lo, hi := h.Grant(); {
	case hi >= k.lastTick || k.life.Err() != nil: // no limit, or no more to be had
	case lo > hi:
		s.GrantedUntil = k.c.Now()
	default:
		s.GrantedUntil = k.c.Layout.tickStart(hi).Add(k.c.Layout.Unit)
	}
	if last != math.MinInt64 {
		s.LastTick = k.c.Layout.tickStart(last)
		s.Ahead = s.LastTick.Add(k.c.Layout.Unit).Sub(k.c.Now())
	}
	k.m.count(&s)
	return s
}
