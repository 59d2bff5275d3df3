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

// keeper is the step function of a lease: it renews the row, keeps the grant ahead of the
// generator, and gives the row back at the end. holder decides what an answer proves;
// keeper decides when to ask, what to do about the answer, and what to log.
//
//	idle ──▶ reading ──▶ writing ──▶ idle, until the lease is lost
//	  any ──▶ reading ──▶ writing ──▶ over, once it leaves
type keeper struct {
	c Claim
	h holder

	phase  phase
	survey survey
	write  store.Write   // under way, or the last one
	now    time.Time     // the store's clock, as the last view showed it
	at     time.Duration // at this moment of the monotonic clock
	beat   time.Duration // when the last write was acknowledged
	gap    time.Duration // wall minus monotonic clock, when last checked

	failures   int              // renewals that failed since the last that succeeded
	failure    asynclog.Failure // the same, for the log
	loggedLost bool
	edited     string // the alarm that was logged last, while it lasts

	pace   time.Duration // how much it asks for, for a generator that uses up all it gets
	needed bool          // the write under way is for such a generator

	leaves bool  // it gives the row back
	last   int64 // minted, then
	tries  int   // to give it back
	err    error // of that
}

// phase is what a keeper waits for.
type phase uint8

const (
	idle    phase = iota // for time to pass
	reading              // for the answers of a survey
	writing              // for the answer of a write
	ended                // for nothing
)

// clockGap is how far the wall clock and the monotonic clock may drift apart between two
// renewals before the machine counts as restored from a snapshot.
const clockGap = 2 * time.Second

func newKeeper(at moment, c Claim, h holder, v store.View) keeper {
	return keeper{
		c: c, h: h, now: v.Now, at: at.mono, beat: at.mono, gap: at.gap(), pace: leastPace,
		failure: asynclog.Failure{Patience: c.TTL / 6},
	}
}

// step takes the next step: with the answer to the last call, or without one because time
// has passed or the generator wants more.
func (k *keeper) step(at moment, a answer) action {
	switch k.phase {
	case idle:
		return k.wake(at)
	case reading:
		return k.read(at, a)
	case writing:
		return k.wrote(at, a)
	}
	return over
}

// wake checks the clocks, and reads the row if a write is due. Reading first shows what
// became of a write whose answer was lost (I3), whether the row still belongs to this
// process (I8), whether the store lost anything (I7, I12), and the store's clock.
func (k *keeper) wake(at moment) action {
	k.checkClocks(at)
	if k.failures == 0 {
		if wait := k.untilDue(at); wait > 0 {
			return action{wait: wait}
		}
	}
	return k.look()
}

func (k *keeper) look() action {
	k.phase = reading
	return action{call: k.survey.begin(k.h.pool, k.h.worker, k.h.worker)}
}

// read takes in an answer of a survey. What a view shows of the holder's row comes before
// any repair: ticks that others may have are dropped first.
func (k *keeper) read(at moment, a answer) action {
	if k.survey.repair == nil && a.err == nil {
		k.digest(at, a.view)
	}
	next, err := k.survey.next(&k.c, a)
	switch {
	case next != nil:
		return action{call: next}
	case k.leaves:
		return k.giveBack(at, err)
	case err != nil || k.h.lost != nil:
		return k.finish(at, err)
	}
	k.needed = k.h.needy(at.cursor)
	beat := at.mono-k.beat >= k.c.TTL/3
	if w, due := k.h.due(k.survey.view, at.cursor, beat, at.nonce); due {
		return k.send(w)
	}
	return k.finish(at, nil)
}

func (k *keeper) send(w store.Write) action {
	k.phase, k.write = writing, w
	return action{call: w}
}

// digest takes in what a view shows of the holder's row. While a new epoch is due, it shows
// nothing.
func (k *keeper) digest(at moment, v store.View) {
	k.now, k.at = v.Now, at.mono
	if k.h.lost != nil || k.c.unheaded(v) {
		return
	}
	alarm := k.h.see(v)
	if errors.Is(k.h.lost, ErrRolledBack) {
		k.c.doubts.Store(k.h.pool.Layout, k.h.lost)
	}
	switch {
	case alarm == nil:
		k.edited = ""
	case alarm.Error() != k.edited: // the next write heals the row
		k.edited = alarm.Error()
		k.c.Logger.Error("somebody edited the row of the worker id", "worker", k.h.worker, "reason",
			alarm)
	}
}

func (k *keeper) wrote(at moment, a answer) action {
	k.h.wrote(k.write, a.applied, a.err)
	switch v := k.survey.view; {
	case k.leaves:
		return k.gaveBack(a)
	case a.applied:
		k.beat = at.mono
		k.paced()
	case a.err == nil && k.write.High > grants.Last(v):
		a.err = fmt.Errorf("%w: the store's clock was set back: it shows %s, but the row is granted "+
			"until %s", errMissed, stamp(v.Now), end(v.Pool, k.write.High))
	case a.err == nil:
		a.err = errMissed
	}
	return k.finish(at, a.err)
}

// finish ends a renewal. A lost lease is not renewed again, but a store that went back in
// time is called until its rows are deleted.
func (k *keeper) finish(at moment, err error) action {
	k.report(at, err)
	k.phase = idle
	switch lost := k.h.lost; {
	case lost != nil && (err == nil || !errors.Is(lost, ErrRolledBack)):
		return over
	case err != nil: // a generator that wants more has to wait for the store
		k.failures++
		return action{wait: backOff(k.failures, at.nonce), backoff: true}
	}
	k.failures = 0
	return action{wait: k.untilDue(at)}
}

// mostReleases is how often a release is tried. A write that was under way when the release
// began may be applied between its view and its write, or after a stale view.
const mostReleases = 3

// errReleased is wrapped by Lease.Err after Release.
var errReleased = errors.New("worker: lease released")

// release begins to give the row back, so that the next holder can start right above last.
// a is the answer to the call under way, if there is one, or the error that ended it.
func (k *keeper) release(a answer, last int64) action {
	if k.phase == writing {
		k.h.wrote(k.write, a.applied, a.err)
	}
	k.leaves, k.last = true, last
	return k.look()
}

// giveBack writes the row, unless there is nothing to give back: the lease is lost, or an
// earlier release was applied and only its answer was lost.
func (k *keeper) giveBack(at moment, err error) action {
	v := k.survey.view
	if err != nil || k.h.lost != nil || !v.Rows[0].Held && v.Rows[0].Nonce == k.h.nonce {
		return k.released(err)
	}
	k.tries++
	return k.send(k.h.release(v, k.last, at.nonce))
}

func (k *keeper) gaveBack(a answer) action {
	switch {
	case a.applied || a.err != nil:
		return k.released(a.err)
	case k.tries == mostReleases:
		return k.released(errMissed)
	}
	return k.look()
}

func (k *keeper) released(err error) action {
	k.err, k.phase, k.h.spans = err, ended, nil
	if k.h.lost == nil { // else that remains the reason
		k.h.lost = fmt.Errorf("%w: worker id %d", errReleased, k.h.worker)
	}
	return over
}

// untilDue returns how long it is until the row has to be written: as a heartbeat, or
// because less than half a window is left and the store may grant enough of it.
func (k *keeper) untilDue(at moment) time.Duration {
	due := k.beat + k.c.TTL/3 - at.mono
	if k.h.low(at.cursor) {
		// In a new epoch nothing is granted below the floor.
		least := max(k.h.acked+k.h.worthwhile(at.cursor, k.pace), k.h.floor)
		highest := k.h.pool.TickAt(k.now.Add(at.mono-k.at)) + k.h.pool.Window()
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

// paced notes that the row was written.
func (k *keeper) paced() {
	if !k.needed {
		k.pace = leastPace
		return
	}
	k.pace = min(2*k.pace, time.Duration(k.h.pool.Window())*k.h.pool.Unit/64)
}

// restore gives up what was granted: see holder. The answer to a write that is under way may
// reach a clone, too.
func (k *keeper) restore() {
	k.h.restore()
	if k.phase == writing {
		k.h.shared = append(k.h.shared, k.write.Nonce)
	}
}

// checkClocks takes a jump between the wall clock and the monotonic one for a restore of
// the machine. Usually the machine was only suspended or its clock set, and no process was
// cloned; but giving up the rest of a grant is cheap.
func (k *keeper) checkClocks(at moment) {
	jumped := at.gap() - k.gap
	k.gap = at.gap()
	if jumped.Abs() > clockGap {
		k.restore()
		k.c.Logger.Warn("the clock jumped: the machine may have been restored from a snapshot, so the "+
			"rest of the grant is given up", "worker", k.h.worker, "by", jumped)
	}
}

// report logs changes: that the lease cannot be renewed and why, that it can be again, or
// that it is lost.
func (k *keeper) report(at moment, err error) {
	log := func() *slog.Logger { return k.c.Logger.With("worker", k.h.worker) }
	if lost := k.h.lost; lost != nil && !k.loggedLost {
		k.loggedLost = true
		log().Error("the lease of the worker id is lost", "reason", lost)
	}
	switch {
	case err != nil && k.failure.Meet(at.mono, err):
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
