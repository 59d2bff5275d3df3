package worker

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// keeper renews the row of a lease, keeps the grant ahead of the generator, and gives the row
// back at the end. It decides when to ask, what to do about an answer, and what to log. While
// it is in a call, restore may be called and cursor may rise.
type keeper struct {
	caller
	h      holder
	cursor int64 // the highest tick that the generator wants

	seen    time.Duration // when the last view came, by the monotonic clock
	beat    time.Duration // when the last write was acknowledged
	checked moment        // when the clocks were last compared

	failure asynclog.Failure // of renewals since the last that succeeded
	stalled error            // of the last renewal

	step time.Duration // the least gain worth a write, for a generator that uses up all it gets
}

// clockGap is how far the wall clock and the monotonic clock may drift apart between two
// renewals before the machine counts as restored from a snapshot.
const clockGap = 2 * time.Second

func newKeeper(p caller, h holder) keeper {
	p.c.Logger = p.c.Logger.With("worker", h.worker)
	return keeper{caller: p, h: h, cursor: noTick, seen: p.at.mono, beat: p.at.mono, checked: p.at,
		step: firstStep, failure: asynclog.Failure{Patience: p.c.TTL / 6}}
}

// renew checks the clocks, and renews the lease if that is due. It returns how long to wait
// before the next call, and whether there is none: the lease is then lost and, if the store
// went back in time, the layout's rows have been deleted. A generator that wants more cuts the
// wait short, unless the renewal failed: then it has to wait for the store.
func (k *keeper) renew() (wait time.Duration, over bool) {
	k.checkClocks()
	if k.failure.Met == 0 {
		if wait := k.untilDue(); wait > 0 {
			return wait, false
		}
	}
	err := k.extend()
	lost := k.h.lost
	if k.stalled = nil; err == nil {
		if k.failure.End() && lost == nil {
			k.c.Logger.Info("the lease is renewed again")
		}
		return k.untilDue(), lost != nil
	}
	k.stalled = fmt.Errorf("worker: cannot renew the lease: %w", err) // a pointer: can be compared
	if k.failure.Meet(k.at.mono, err) && k.ctx.Err() == nil {
		log := k.c.Logger.With("reason", err)
		if k.h.usedUp(k.cursor) {
			log.Warn("cannot renew the lease, and all that was granted is used up: no new ids; retrying")
		} else {
			log.Warn("cannot renew the lease; retrying", "until", k.h.until())
		}
	}
	return backOff(k.failure.Met, k.at.nonce), lost != nil && !errors.Is(lost, ErrRolledBack)
}

// extend reads the row, and writes it if a write is due. Reading first shows what became of a
// write whose answer was lost (I3), whether the row still belongs to this process (I8), whether
// the store lost anything (I7, I12), and the store's clock.
func (k *keeper) extend() error {
	v, err := k.look()
	if err != nil || k.h.lost != nil {
		return err
	}
	near := k.cursor >= k.h.low()
	var lags error
	// A store that is ahead grants as much as one that is right, unless this machine's clock was set
	// back. While they do not agree, it is asked again soon.
	if v.Now.Before(k.at.wall) || k.h.last(k.at.wall) < k.h.cloned {
		lags = k.agree(v)
	}
	if !k.h.doubt && k.untilDue() > 0 {
		// The store's clock is behind what was expected. It may advance only in whole seconds; until
		// the next one, the store grants no more, however often it is asked.
		k.askedFor(near)
		return lags
	}
	w := k.h.renew(k.at.nonce, k.at.wall)
	applied, err := k.write(&k.h, w)
	switch {
	case applied:
		k.beat = k.at.mono
		k.askedFor(near)
		return lags
	case err == nil && w.High > grants.Last(v):
		return fmt.Errorf("worker: the store's clock was set back: it shows %s, but the row is granted "+
			"until %s", stamp(v.Now), end(v.Pool, w.High))
	}
	return cmp.Or(err, errMissed)
}

// look reads the row. A view is evaluated before any repair, so that ticks that others may
// have are dropped first. While a new epoch is due, a view is not evaluated.
func (k *keeper) look() (store.View, error) {
	return k.view(k.h.worker, k.h.worker, func(v store.View) {
		k.compare(v)
		if k.h.lost != nil || k.c.unheaded(v) {
			return
		}
		k.seen = k.at.mono
		floor := k.h.view.Floor
		if k.h.see(v); k.h.lost != nil {
			k.c.Logger.Error("the lease of the worker id is lost", "reason", k.h.lost)
		} else if v.Floor > max(floor, k.h.acked+1) && k.turns < 3 { // whichever process raised it
			k.c.Logger.Warn("the store failed over, restarted or was restored, or its slack "+
				"was raised: the times in ids jump", "from", k.h.until(), "to", grants.Start(v.Pool, v.Floor))
		}
		if errors.Is(k.h.lost, ErrRolledBack) {
			k.c.wentBack.Store(v.Layout, k.h.lost)
		}
	})
}

// mostReleases is how often a release is tried. A write that was under way when the release
// began may be applied between the view and the write of an attempt, or after a stale view.
const mostReleases = 3

// errReleased is wrapped by Lease.Err after Release.
var errReleased = errors.New("worker: lease released")

// release gives the row back, so that the next holder can start right above last.
func (k *keeper) release(last int64) error {
	defer func() {
		k.h.spans = nil
		// If the lease was lost before, that reason remains.
		k.h.lost = cmp.Or(k.h.lost, fmt.Errorf("%w: worker id %d", errReleased, k.h.worker))
	}()
	for range mostReleases {
		v, err := k.look()
		// Nothing has to be given back if an earlier release was applied and only its answer was lost.
		if err != nil || k.h.lost != nil || !v.Rows[0].Held && v.Rows[0].Nonce == k.h.latest.Nonce {
			return err
		}
		if applied, err := k.write(&k.h, k.h.release(last, k.at.nonce)); applied || err != nil {
			return err
		}
	}
	return errMissed
}

// untilDue returns how long no write is needed: until a heartbeat is due, or until the store
// may grant half a window more or, to a generator that is near the end, as much as step.
func (k *keeper) untilDue() time.Duration {
	p := k.h.view.Pool
	more := (p.Window() + 1) / 2
	if k.cursor >= k.h.low() {
		more = max(1, int64(k.step/p.Unit))
	}
	// In a new epoch nothing is granted below the floor, which may be above what is acknowledged.
	least := max(k.h.granted()+more, k.h.acked+1, k.h.view.Floor)
	highest := min(p.TickAt(k.h.view.Now.Add(k.at.mono-k.seen)), p.TickAt(k.at.wall)) + p.Window()
	due := k.beat + k.c.TTL/3 - k.at.mono
	// A floor may lie thousands of years ahead, which exceeds any Duration.
	if missing := max(least-highest, 0); missing <= int64(due/p.Unit) {
		due = time.Duration(missing) * p.Unit
	}
	return max(due, 0)
}

// firstStep is how much time is granted first to a generator that has used up its grant. As long as
// it continues to use up all it gets, it gets twice as much each time, up to a 64th of the window.
// So a burst does not wait long, and does not cause a write or a view for each tick.
const firstStep = 10 * time.Millisecond

// askedFor notes that the store was asked for more. near says whether the generator is near the
// end.
func (k *keeper) askedFor(near bool) {
	if k.step = min(2*k.step, time.Duration(k.h.view.Window())*k.h.view.Unit/64); !near {
		k.step = firstStep
	}
}

// checkClocks treats a jump between the wall clock and the monotonic clock as a restore of the
// machine. Usually the machine was only suspended or its clock set, and no process was cloned;
// but giving up the rest of a grant is cheap.
func (k *keeper) checkClocks() {
	jumped := k.at.wall.Sub(k.checked.wall) - (k.at.mono - k.checked.mono)
	k.checked = k.at
	if jumped.Abs() > clockGap {
		k.h.restore()
		k.c.Logger.Warn("the clock jumped: the machine may have been restored from a snapshot, so the "+
			"rest of the grant is given up", "by", jumped)
	}
}
