// Package plan finds the layouts that meet requirements.
//
//	fits, err := plan.Layouts(plan.Requirements{
//		Nodes: 10, IDsPerSecond: 5000, Years: 20,
//	}, time.Now())
//	fmt.Println(fits[0].Layout, fits[0].End)
//
// Every requirement costs some of an id's 63 bits: years cost time bits, ids a second cost
// sequence bits, and nodes cost worker bits. So do starts, where each takes a new worker id,
// and these soon cost the most. Ticks that are ten times as long need about three fewer time bits
// and three more sequence bits, so they hardly change what fits. But long ticks hold bursts
// without borrowing from the future, and short ones show the time more exactly.
//
// Everything here is arithmetic: no clock is read, and a layout counts from the day of its first
// use, so that what fits today fits tomorrow.
package plan

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// Fit is a layout that meets all requirements, and what else it offers.
type Fit struct {
	// Name is that of a preset, or balanced: the spare bits were spread evenly.
	Name   string
	Layout uid.Layout

	// End is the first instant that the layout cannot hold.
	End time.Time

	// Rate is how many ids a second one node makes without borrowing.
	Rate float64

	// Restarts is how many worker ids are left when all nodes have theirs: for as many more
	// starts, or nodes if worker ids are leased.
	Restarts int64

	// RestartsEnd is when the restarts are used up at the required pace. Zero: never.
	RestartsEnd time.Time
}

func newFit(name string, c uid.DefaultConfig, w Requirements, from time.Time) Fit {
	f := Fit{Name: name, Layout: c.Layout, End: c.Layout.End(), Rate: rate(c),
		Restarts: c.Layout.MaxWorker() + 1 - w.Nodes}
	if !w.leased() {
		f.Restarts -= firstDisposable
		f.RestartsEnd = after(from, float64(f.Restarts)/w.StartsPerDay*secondsPerDay)
	}
	return f
}

// rate returns the ids a second that one worker can make indefinitely. A system may keep the
// first numbers of a tick for other uses.
func rate(c uid.DefaultConfig) float64 {
	return (math.Ldexp(1, c.Layout.SeqBits) - float64(c.MinSeq)) / c.Layout.Unit.Seconds()
}

// Conflict is the error for requirements that no layout can meet together.
type Conflict struct {
	// Need is the layout that comes nearest, in the unit that serves best. It has too many bits.
	Need uid.Layout

	// Leased reports whether they would fit if worker ids were leased.
	Leased bool
}

func (c *Conflict) Error() string {
	n, advice := c.Need, "ask for less of what takes the most"
	if c.Leased {
		advice = "lease worker ids (leave out --starts-per-day), or " + advice
	}
	return fmt.Sprintf("plan: nothing fits: time %d + worker %d + sequence %d are %d bits, with "+
		"ticks of %v, and an id has %d: %s",
		n.TimeBits, n.WorkerBits, n.SeqBits, bitsOf(n), n.Unit, idBits, advice)
}

// The units to choose from, the most sensible first. With short ticks, several processes insert
// their rows nearly in the order of the keys, and indexes stay dense. Long ticks hold bursts
// and tolerate inaccurate clocks.
var units = [...]time.Duration{time.Millisecond, 10 * time.Millisecond, time.Second, time.Minute}

const idBits = 63

// Layouts returns the layouts that fit the requirements: SnowflakeLayout first, then one for
// each unit with the spare bits spread evenly, then the default one. Those of other systems
// come last, since a user who just takes the first one has chosen none of them. If none fits,
// the error is a *Conflict. For requirements that make no sense it wraps ErrRequirements.
func Layouts(w Requirements, from time.Time) ([]Fit, error) {
	if err := w.validate(); err != nil {
		return nil, err
	}
	var fits, others []Fit
	first := uid.DefaultConfig{Layout: uid.SnowflakeLayout()}
	if w.metBy(first, from) {
		fits = append(fits, newFit("SnowflakeLayout", first, w, from))
	}
	for _, unit := range units {
		least := w.need(unit, from)
		if bitsOf(least) > idBits {
			continue
		}
		c := uid.DefaultConfig{Layout: spread(least, from)}
		if c.Layout != first.Layout {
			fits = append(fits, newFit("balanced", c, w, from))
		}
	}
	for _, name := range preset.Names() {
		c, err := preset.Named(name)
		if err != nil || !w.metBy(c, from) || c.Layout == first.Layout {
			continue
		}
		same := slices.IndexFunc(others, func(f Fit) bool { return f.Layout == c.Layout })
		switch {
		case same >= 0:
			others[same].Name += ", " + name
		case c.Layout == uid.DefaultLayout():
			fits = append(fits, newFit(name, c, w, from))
		default:
			others = append(others, newFit(name, c, w, from))
		}
	}
	if fits = append(fits, others...); len(fits) == 0 {
		leased := w
		leased.StartsPerDay = 0
		fit := !w.leased() && bitsOf(leased.least(from)) <= idBits
		return nil, &Conflict{Need: w.least(from), Leased: fit}
	}
	return fits, nil
}

// spread gives the spare bits to the fields in turn. The time takes no more once it lasts for a
// thousand years.
func spread(l uid.Layout, from time.Time) uid.Layout {
	enough := after(from, 1000*daysPerYear*secondsPerDay)
	for turn := 0; bitsOf(l) < idBits; turn++ {
		switch turn % 3 {
		case 0:
			l.SeqBits++
		case 1:
			if !l.End().After(enough) {
				l.TimeBits++
			}
		case 2:
			l.WorkerBits++
		}
	}
	return l
}

func bitsOf(l uid.Layout) int { return l.TimeBits + l.WorkerBits + l.SeqBits }
