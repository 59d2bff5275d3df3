package plan

import (
	"slices"
	"time"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// The units to choose from, the most sensible first. With short ticks, several processes
// insert their rows nearly in the order of the keys, and indexes stay dense. Long ones hold
// bursts and forgive clocks.
var units = [...]time.Duration{time.Millisecond, 10 * time.Millisecond, time.Second, time.Minute}

const idBits = 63

// Layouts returns the layouts that fit the requirements: SnowflakeLayout first, then one for
// each unit with the spare bits spread evenly, then the default one, then those of other
// systems: whoever takes the first there is has chosen none of these. When none fits the
// error is a *Conflict. Requirements that make no sense are an error that wraps
// ErrRequirements.
func Layouts(w Requirements, from time.Time) ([]Fit, error) {
	if err := w.validate(); err != nil {
		return nil, err
	}
	var fits, others []Fit
	first := uid.Config{Layout: uid.SnowflakeLayout()}
	if w.metBy(first, from) {
		fits = append(fits, newFit("SnowflakeLayout", first, w, from))
	}
	for _, unit := range units {
		least := w.need(unit, from)
		if bitsOf(least) > idBits {
			continue
		}
		c := uid.Config{Layout: spread(least, from)}
		if c.Layout != first.Layout {
			fits = append(fits, newFit("balanced", c, w, from))
		}
	}
	for _, name := range preset.Names() {
		c, err := preset.Named(name)
		if err != nil || !w.metBy(c, from) {
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
		leased.Recycled = true
		fit := !w.Recycled && bitsOf(leased.least(from)) <= idBits
		return nil, &Conflict{Need: w.least(from), Recycled: fit}
	}
	return fits, nil
}

// spread gives the spare bits to the fields in turn. The time takes none when it lasts for
// a thousand years.
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
