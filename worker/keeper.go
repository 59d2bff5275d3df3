package worker

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// keeper renews the row of a lease, keeps the grant ahead of the generator, and gives the row
// back at the end. holder decides what an answer proves; keeper decides when to ask, what to do
// about the answer, and what to log. While it is in a call, restore may be called.
type keeper struct {
	caller
	h holder

	now  time.Time     // the store's clock, as the last view showed it
	seen time.Duration // at this moment of the monotonic clock
	beat time.Duration // when the last write was acknowledged
	gap  time.Duration // wall minus monotonic clock, when last checked

	failures   int              // renewals that failed since the last that succeeded
	failure    asynclog.Failure // the same, for the log
	loggedLost bool
	edited     string // the alarm that was logged last, while it lasts

	pace time.Duration // how much it asks for, for a generator that uses up all it gets
}

// clockGap is how far the wall clock and the monotonic clock may drift apart between two
// renewals before the machine counts as restored from a snapshot.
const clockGap = 2 * time.Second

func newKeeper(p caller, h holder, v store.View) keeper {
	return keeper{
		caller: p, h: h, now: v.Now, seen: p.at.mono, beat: p.at.mono, gap: p.at.gap(),
		pace: leastPace, failure: asynclog.Failure{Patience: p.c.TTL / 6},
	}
}

// renew checks the clocks, and renews the lease if that is due. It returns how long to wait
// before the next time, and whether there is none: the lease is lost, or the calls have ended.
// A generator that wants more cuts the wait short, unless the renewal failed: then it has to
// wait for the store.
func (k *keeper) renew(at moment) (wait time.Duration, over bool) {
	k.at = at
	if k.ctx.Err() != nil {
		return 0, true
	}
	k.checkClocks()
	if k.failures == 0 {
		if wait := k.untilDue(); wait > 0 {
			return wait, false
		}
	}
	err := k.extend()
	if k.ctx.Err() != nil {
		return 0, true
	}
	k.report(err)
	switch lost := k.h.lost; {
	case lost != nil && (err == nil || !errors.Is(lost, ErrRolledBack)):
		return 0, true // but where the store went back in time, until the rows are deleted
	case err != nil:
		k.failures++
		return backOff(k.failures, k.at.nonce), false
	}
	k.failures = 0
	return k.untilDue(), false
}

// extend reads the row, and writes it if a write is due. Reading first shows what became of a
// write whose answer was lost (I3), whether the row still belongs to this process (I8), whether
// the store lost anything (I7, I12), and the store's clock.
func (k *keeper) extend() error {
	v, err := k.look()
	if err != nil || k.h.lost != nil {
		return err
	}
	needy, beat := k.h.needy(k.at.cursor), k.at.mono-k.beat >= k.c.TTL/3
	w, due := k.h.due(v, k.at.cursor, beat, k.at.nonce)
	if !due {
		return nil
	}
	applied, err := k.send(w)
	switch {
	case applied:
		k.beat = k.at.mono
		k.paced(needy)
	case err == nil && w.High > grants.Last(v):
		return fmt.Errorf("%w: the store's clock was set back: it shows %s, but the row is granted "+
			"until %s", errMissed, stamp(v.Now), end(v.Pool, w.High))
	case err == nil:
		return errMissed
	}
	return err
}

// look reads the row. What a view shows of it comes before any repair: ticks that others may
// have are dropped first. While a new epoch is due, it shows nothing.
func (k *keeper) look() (store.View, error) {
	return k.view(k.h.worker, k.h.worker, func(v store.View) {
		k.now, k.seen = v.Now, k.at.mono
		if k.h.lost != nil || k.c.unheaded(v) {
			return
		}
		alarm := k.h.see(v)
		if errors.Is(k.h.lost, ErrRolledBack) {
			k.c.doubts.Store(v.Layout, k.h.lost)
		}
		switch {
		case alarm == nil:
			k.edited = ""
		case alarm.Error() != k.edited: // the next write heals the row
			k.edited = alarm.Error()
			k.c.Logger.Error("somebody edited the row of the worker id", "worker", k.h.worker,
				"reason", alarm)
		}
	})
}

func (k *keeper) send(w store.Write) (applied bool, err error) {
	applied, err = k.write(w)
	k.h.wrote(w, applied, err)
	return applied, err
}

// mostReleases is how often a release is tried. A write that was under way when the release
// began may be applied between its view and its write, or after a stale view.
const mostReleases = 3

// errReleased is wrapped by Lease.Err after Release.
var errReleased = errors.New("worker: lease released")

// release gives the row back, so that the next holder can start right above last.
func (k *keeper) release(last int64) error {
	err := k.giveBack(last)
	k.h.spans = nil
	if k.h.lost == nil { // else that remains the reason
		k.h.lost = fmt.Errorf("%w: worker id %d", errReleased, k.h.worker)
	}
	return err
}

func (k *keeper) giveBack(last int64) error {
	for range mostReleases {
		v, err := k.look()
		// Nothing is to be given back if an earlier release was applied, and only its answer lost.
		if err != nil || k.h.lost != nil || !v.Rows[0].Held && v.Rows[0].Nonce == k.h.nonce {
			return err
		}
		if applied, err := k.send(k.h.release(v, last, k.at.nonce)); applied || err != nil {
			return err
		}
	}
	return errMissed
}

// untilDue returns how long it is until the row has to be written: as a heartbeat, or
// because less than half a window is left and the store may grant enough of it.
func (k *keeper) untilDue() time.Duration {
	due := k.beat + k.c.TTL/3 - k.at.mono
	if k.h.low(k.at.cursor) {
		// In a new epoch nothing is granted below the floor.
		least := max(k.h.acked+k.h.worthwhile(k.at.cursor, k.pace), k.h.floor)
		highest := k.h.pool.TickAt(k.now.Add(k.at.mono-k.seen)) + k.h.pool.Window()
		// A floor may lie thousands of years ahead, which no Duration holds.
		if missing := max(least-highest, 0); missing <= int64(due/k.h.pool.Unit) {
			due = time.Duration(missing) * k.h.pool.Unit
		}
	}
	return max(due, 0)
}

// leastPace is how much time a generator that has used up its grant is granted first. While
// it goes on using up all it gets, it is twice as much each time, up to a 64th of the window:
// a burst does not wait long, and does not cause a write for each tick.
const leastPace = 10 * time.Millisecond

// paced notes that the row was written, for a generator that is near the end of its grant or
// not.
func (k *keeper) paced(needy bool) {
	if !needy {
		k.pace = leastPace
		return
	}
	k.pace = min(2*k.pace, time.Duration(k.h.pool.Window())*k.h.pool.Unit/64)
}

// checkClocks takes a jump between the wall clock and the monotonic one for a restore of
// the machine. Usually the machine was only suspended or its clock set, and no process was
// cloned; but giving up the rest of a grant is cheap.
func (k *keeper) checkClocks() {
	jumped := k.at.gap() - k.gap
	k.gap = k.at.gap()
	if jumped.Abs() > clockGap {
		k.h.restore()
		k.c.Logger.Warn("the clock jumped: the machine may have been restored from a snapshot, so the "+
			"rest of the grant is given up", "worker", k.h.worker, "by", jumped)
	}
}

// report logs changes: that the lease cannot be renewed and why, that it can be again, or
// that it is lost.
func (k *keeper) report(err error) {
	log := func() *slog.Logger { return k.c.Logger.With("worker", k.h.worker) }
	if lost := k.h.lost; lost != nil && !k.loggedLost {
		k.loggedLost = true
		log().Error("the lease of the worker id is lost", "reason", lost)
	}
	switch {
	case err != nil && k.failure.Meet(k.at.mono, err):
		if k.loggedLost {
			log().Error("cannot delete the layout's rows after the store went back in time; retrying",
				"reason", err)
			return
		}
		log().Warn("cannot renew the lease; retrying, and using up what was granted", "until",
			k.h.until(), "reason", err)
	case err == nil && k.failure.End() && !k.loggedLost:
		log().Info("the lease is renewed again")
	}
}
