package worker

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/internal/race"
)

// Duplicates are not all that may go wrong: a lease that is never renewed makes none.
// So when a world has run, its faults may end, and then
//
//	as many processes as there are worker ids get one, and mint
//	whoever has one goes on minting above what was granted then
//
// Not looked for in worlds in which some processes have another layout: which of the two
// has the place is a matter of chance.

// patience is how long that may take.
const patience = 2 * time.Minute

// heals ends all faults, and finds out whether the world recovers.
func (w *world) heals() error {
	if w.odds.layout > 0 {
		return nil
	}
	w.odds = odds{}
	w.say("all faults end")
	w.server.heal()
	for _, p := range w.processes {
		if p.sleeping && p.paused > w.now {
			p.asleep -= p.paused - w.now // a monotonic clock never goes back
		}
		p.paused, p.off = 0, w.server.off
		// If a clock is set during a question for the time, rows are opened that much later.
		w.calls++
		p.call = w.calls // nobody answers it
	}
	first := w.tickAt(w.server.now())
	if err := w.comeTo(first); err != nil {
		return err
	}
	return w.comeTo(w.tickAt(w.server.now()) + w.window + 1)
}

// comeTo: as many processes as can mint this tick or a later one.
func (w *world) comeTo(tick int64) error {
	for end := w.now + patience*(w.unit/time.Second); w.now < end; {
		w.calm()
		if w.broken != nil {
			return w.broken
		}
		if w.minting(tick) >= min(w.rows, w.generators()) {
			return nil
		}
	}
	return fmt.Errorf("%d processes come to tick %v, of %d with %d worker ids, and nothing was in "+
		"their way", w.minting(tick), w.short(tick), w.generators(), w.rows)
}

// calm is a step in which all do what they have to do.
func (w *world) calm() {
	w.now += 50 * time.Millisecond * (w.unit / time.Second)
	for w.deliver() {
	}
	for _, p := range slices.Clone(w.processes) {
		switch {
		case p.ended:
		case p.untold:
			p.tell()
		default:
			p.work()
			p.mint()
		}
	}
	w.oracle.check()
}

// minting is how many processes have a worker id and have minted this tick or a later one.
func (w *world) minting(tick int64) (n int) {
	for _, p := range w.processes {
		if p.keeper != nil && p.keeper.h.lost == nil && !p.leaving && p.minted >= tick {
			n++
		}
	}
	return n
}

// heal makes the store one that answers, with a clock that has come to whatever was
// granted.
func (s *server) heal() {
	s.down = 0
	s.off += max(0, s.latest.Add(time.Hour).Sub(s.now()))
	v := s.view(simLayout, 0, math.MaxInt64)
	s.off += max(0, grants.Start(v.Pool, v.Floor).Sub(s.now()))
	for _, row := range v.Rows {
		if row.Open {
			s.off += max(0, grants.Start(v.Pool, grants.Next(v, row)).Sub(s.now()))
		}
	}
}

// Rules without which nothing comes twice, and nothing goes on
// either.
func TestEachRuleIsNeededToRecover(t *testing.T) {
	race.Skip(t)
	for _, off := range []mutation{giveUp, leaveFloor, neverWake} {
		t.Run(string(off), func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= 200; seed++ {
				w := newWorld(seed, off, false, false)
				if w.run(); w.broken != nil {
					t.Fatalf("seed %d: %v", seed, w.broken)
				}
				err := w.heals()
				w.close()
				if err != nil {
					t.Logf("seed %d: %v", seed, err)
					return
				}
			}
			t.Error("switched off, and all worlds recover")
		})
	}
}
