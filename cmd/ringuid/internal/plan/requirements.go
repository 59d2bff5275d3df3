package plan

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// ErrRequirements is wrapped by Layouts for invalid requirements, such as a negative
// number of nodes.
var ErrRequirements = errors.New("plan: invalid requirements")

// Requirements say what the ids must be able to do.
type Requirements struct {
	Nodes        int64   // generators running at one time, 1 or more
	StartsPerDay float64 // of all nodes together, if each takes a new worker id; 0: leased ones
	IDsPerSecond float64 // of one node, sustained without borrowing
	Years        float64 // from the start on, up to a hundred million
}

const (
	secondsPerDay = 24 * 60 * 60
	daysPerYear   = 365.25
	maxYears      = 1e8 // far enough, and well inside of time.Time
)

func (w Requirements) validate() error {
	// false for NaN
	atLeast := func(v, lowest float64) bool { return v >= lowest && v <= math.MaxFloat64 }
	switch {
	case w.Nodes < 1:
		return fmt.Errorf("%w: %d nodes: there must be 1 or more", ErrRequirements, w.Nodes)
	case !atLeast(w.StartsPerDay, 0):
		return fmt.Errorf("%w: %v starts a day: there must be 0 or more", ErrRequirements, w.StartsPerDay)
	case !atLeast(w.IDsPerSecond, 0):
		return fmt.Errorf("%w: %v ids a second: there must be 0 or more", ErrRequirements, w.IDsPerSecond)
	case !(w.Years > 0 && w.Years <= maxYears):
		return fmt.Errorf("%w: %v years: there must be more than 0, at most %.0f", ErrRequirements,
			w.Years, maxYears)
	}
	return nil
}

// leased reports whether worker ids are used again.
func (w Requirements) leased() bool { return w.StartsPerDay == 0 }

// until returns the time until which the layout must last.
func (w Requirements) until(from time.Time) time.Time {
	return after(from, w.Years*daysPerYear*secondsPerDay)
}

// longTick is the unit from which on a restart should not wait for the next tick.
const longTick = time.Minute

// workers returns how many worker ids are needed with ticks of this unit, in all the years. One
// that is given back has minted in its last tick, and begins with the next. Where ticks are
// long, each node needs another one, so that a restart gets a worker id at once.
func (w Requirements) workers(unit time.Duration) float64 {
	switch {
	case w.leased() && unit >= longTick:
		return 2 * float64(w.Nodes)
	case w.leased():
		return float64(w.Nodes)
	}
	return firstDisposable + float64(w.Nodes) + w.StartsPerDay*w.Years*daysPerYear
}

// firstDisposable is the first worker id that a new row is given: databases
// count from 1, and worker id 0 is never used.
const firstDisposable = 1

// need returns the layout with the fewest bits that fits the requirements in a unit. It counts
// from the beginning of the day, because earlier years cost bits. It may have more bits than an
// id; a field that could not be wide enough at all then counts for 64.
func (w Requirements) need(unit time.Duration, from time.Time) uid.Layout {
	l := uid.Layout{Epoch: from.UTC().Truncate(secondsPerDay * time.Second), Unit: unit, TimeBits: 1}
	for until := w.until(from); l.TimeBits <= idBits && l.End().Before(until); {
		l.TimeBits++
	}
	l.WorkerBits = bitsFor(w.workers(unit))
	l.SeqBits = bitsFor(w.IDsPerSecond * float64(unit.Milliseconds()) / 1000)
	return l
}

// metBy reports whether the settings meet all requirements.
func (w Requirements) metBy(c uid.DefaultConfig, from time.Time) bool {
	l := c.Layout
	return !l.Epoch.After(from) && !l.End().Before(w.until(from)) &&
		bitsFor(w.workers(l.Unit)) <= l.WorkerBits && rate(c) >= w.IDsPerSecond
}

// least returns the need in the unit in which it has the fewest bits.
func (w Requirements) least(from time.Time) uid.Layout {
	least := w.need(units[0], from)
	for _, unit := range units[1:] {
		if l := w.need(unit, from); bitsOf(l) < bitsOf(least) {
			least = l
		}
	}
	return least
}

// bitsFor returns how many bits distinguish n things, 64 if n is more than an id can hold.
func bitsFor(n float64) int {
	switch {
	case n <= 1:
		return 0
	case n > math.MaxInt64:
		return idBits + 1
	}
	fraction, exponent := math.Frexp(n) // n = fraction * 2^exponent, fraction in [0.5, 1)
	if fraction == 0.5 {
		exponent--
	}
	return exponent
}

// after returns t plus some seconds, at most thirty billion years.
func after(t time.Time, seconds float64) time.Time {
	return time.Unix(t.Unix()+int64(min(seconds, 1e18)), int64(t.Nanosecond())).UTC()
}
