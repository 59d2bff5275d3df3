package uid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/worker"
)

// core is what both generators are built on: a source, the assigner that its leases come from,
// and a life that ends with Close.
type core struct {
	source
	copies
	m        minter
	assigner worker.Assigner

	replacing sync.Mutex    // held to replace the lease, so that none is from before a restore
	rollbacks atomic.Int64  // leases lost because the store went back in time
	restores  atomic.Int64  // how often what was granted had to be given up; changes under replacing
	abandoned chan struct{} // the lease was abandoned: at most one message is pending

	end       context.CancelCauseFunc // ends life, with ErrClosed
	done      context.Context         // ends with life, and when the lease is given up
	giveUp    context.CancelFunc
	following sync.WaitGroup
	releasing sync.WaitGroup // of leases that were replaced
	closing   sync.Once
	closeErr  error
}

// minter makes the ids of a generator, with the source's ticks.
type minter interface {
	// span takes up to limit ids that lie in a row: n of them, from first on.
	span(ctx context.Context, limit int) (first ID, n int, err error)
	// ready says why there is no id now without waiting; nil if there is one.
	ready() *block
	// grantChanged says that there may be more to mint, or less.
	grantChanged()
	// change calls do, which may put another lease in force. Whatever is minted from then on
	// lies above every tick minted before (I11 of package worker's rules). change returns the
	// highest of those, or math.MinInt64: the previous lease has stopped minting there. With
	// drop, ids that were made and not handed out are dropped.
	change(drop bool, do func()) (last int64)
}

// open checks the clock and gets a worker id for a generator whose settings have been checked.
// ahead is how far ahead of the clock ids may be made. The caller must then run follow.
func (k *core) open(ctx context.Context, a worker.Assigner, c settings, ahead time.Duration) error {
	if a == nil {
		return fmt.Errorf("%w: no worker.Assigner: pass worker.Static, worker.Disposable or another",
			ErrConfig)
	}
	if err := c.checkTime(); err != nil {
		return err
	}
	life, end := context.WithCancelCause(context.Background())
	k.begin(life, c)
	k.find(c) // before a worker id is asked for
	k.assigner, k.end, k.abandoned = a, end, make(chan struct{}, 1)
	k.done, k.giveUp = context.WithCancel(life)
	if err := k.checkAbove(nil, ahead); err != nil {
		return err
	}
	l, err := k.assign(ctx)
	if err != nil {
		return err
	}
	if err := k.checkAbove(l, ahead); err != nil {
		return k.unused(ctx, l, err)
	}
	k.held.Store(k.newHeld(l, 1, 0))
	if l.Class() == worker.Unfenced { // keeping it unique is up to the user
		c.Logger.Warn("the worker id is not fenced: ids may be duplicated if another process has it, "+
			"or if the clock is set back across a restart (with AllowRepeats: at any restart)",
			"worker", l.WorkerID())
	}
	return nil
}

// assign asks the assigner for a worker id.
func (k *core) assign(ctx context.Context) (worker.Lease, error) {
	need := k.layout.Need()
	l, err := k.assigner.Assign(asynclog.With(ctx, k.conf.Logger), need)
	switch {
	case errors.Is(err, worker.ErrIDRange):
		return nil, fmt.Errorf("%w: %w", ErrWorkerID, err)
	case err != nil:
		return nil, fmt.Errorf("uid: no worker id: %w", err)
	case l == nil:
		return nil, fmt.Errorf("%w: the assigner returned neither a lease nor an error", ErrConfig)
	}
	if err := l.Take(need); err != nil { // nor is it released: another generator may use it
		return nil, fmt.Errorf("%w: what the assigner returned: %w", ErrConfig, err)
	}
	if err := k.check(l); err != nil {
		return nil, k.unused(ctx, l, err)
	}
	return l, nil
}

// unused gives back a lease with which no tick was minted, because of err.
func (k *core) unused(ctx context.Context, l worker.Lease, err error) error {
	if k.copied() { // a copy may use it
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second) // it may have ended
	defer cancel()
	if cleanup := l.Release(ctx, math.MinInt64); cleanup != nil {
		err = fmt.Errorf("%w; and releasing it: %w", err, cleanup)
	}
	return err
}

// Layout returns the layout of the generator's ids.
func (k *core) Layout() Layout { return k.layout }

// ParseUID splits an id of the generator's layout. Errors wrap ErrForeign.
func (k *core) ParseUID(id ID) (Parts, error) { return k.layout.Parse(id) }

// Ready returns nil if GetUID would return an id now, without waiting for the clock or the lease.
// Otherwise its error says why not, and wraps what GetUID returns when it has waited in vain. When
// no waiting helps, it is ErrTimeOver, ErrLeaseLost or ErrClosed alone.
//
// Ready takes no id, and asks the clock, the policies and the lease as a take does; a probe may
// call it as often as it likes. A cached generator with an empty ring that the padder may fill at
// once is ready. Ids that streams hold do not count. A default generator with a full tick is not
// ready: under a load that fills ticks, tell ErrTickFull from the other errors.
func (k *core) Ready() error {
	k.deal()
	if b := k.m.ready(); b != nil {
		return b.err
	}
	return nil
}

// Done returns a channel that is closed when Close begins, when a machine was copied whose worker
// id is not fenced and, with Config.OnLeaseLost policy.GiveUp, when the worker id's lease is lost.
// With policy.Reacquire, the default, the generator continues to ask for another worker id, and
// Ready reports the state.
//
// After a lease was lost, but not to another holder, ids of the time that it had granted may
// still be handed out until Ready returns ErrLeaseLost: time for an orderly shutdown. A layout
// whose time is over does not close Done, because the clock may be set right.
func (k *core) Done() <-chan struct{} { return k.done.Done() }

// Close ends the generator, drops the ids in its ring and releases the worker id, for which it
// waits at most five seconds. Every later take returns ErrClosed, and so do takes that are
// waiting. Calls after the first return the first one's error.
func (k *core) Close() error {
	k.closing.Do(func() {
		k.end(ErrClosed)
		if k.forked() { // there is nobody to wait for, and nothing to give back
			return
		}
		k.following.Wait()
		last := k.flush() // life has ended: nothing is minted any more
		h := k.held.Load()
		if err := k.giveBack(h, last); err != nil {
			k.closeErr = fmt.Errorf("uid: releasing worker id %d, which else becomes free when its "+
				"lease ends: %w", h.WorkerID(), err)
		}
		k.releasing.Wait() // they began before
		asynclog.Flush(k.conf.Logger)
	})
	return k.closeErr
}

// flush drops ids that were made and not handed out. It returns change's last.
func (k *core) flush() (last int64) { return k.m.change(true, func() {}) }

// stats returns what both generators count; last is the highest tick of which an id was made.
func (k *core) stats(last int64) Stats {
	h := k.held.Load()
	s := Stats{
		WorkerID:   h.WorkerID(),
		Class:      h.Class(),
		Leases:     h.number,
		LeaseLost:  h.lost() != nil && k.life.Err() == nil,
		Rollbacks:  k.rollbacks.Load(),
		Generation: k.copies.by,
		Copies:     k.noticed.Load(),
		LayoutEnd:  k.layout.End(),
		Waits:      k.waits.Load(),
		Rejected:   k.rejected.Load(),
		Faults:     k.faults.Load(),
	}
	store, ok := h.Lease.(interface {
		ClockOffset() (offset, within time.Duration)
		GrantedUntil() time.Time
	})
	if ok {
		s.ClockOffset, s.ClockUncertainty = store.ClockOffset()
	}
	switch lo, hi := h.Grant(); {
	case hi >= k.lastTick || k.life.Err() != nil: // no limit, or no more to be had
	case lo > hi:
		s.GrantedUntil = k.conf.Now()
	case ok: // after a fail-over, what begins later counts too
		s.GrantedUntil = store.GrantedUntil()
	default:
		s.GrantedUntil = k.layout.tickStart(hi).Add(k.layout.Unit)
	}
	if last != math.MinInt64 {
		s.LastTick = k.layout.tickStart(last)
		s.Ahead = s.LastTick.Add(k.layout.Unit).Sub(k.conf.Now())
	}
	return s
}
