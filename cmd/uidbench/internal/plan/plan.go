package plan

import (
	"slices"
	"time"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

// The units to choose from, the most sensible first: seconds hold bursts and
// forgive clocks, milliseconds tell the time.
var units = [...]time.Duration{time.Second, time.Millisecond, 10 * time.Millisecond, time.Minute}

const (
	idBits = 63
	jsBits = 53 // JavaScript's numbers are exact below 2^53
)

// Layouts returns the layouts that fit the requirements: the default one first, then one
// for each unit with the spare bits spread evenly, then some that favour one
// field, then those of other systems. When none fits the error is a *Conflict. Requirements that
// make no
// sense are an error that wraps ErrRequirements.
func Layouts(w Requirements, from time.Time) ([]Fit, error) {
	w, err := w.settled(from)
	if err != nil {
		return nil, err
	}
	fits := &list{requirements: w, from: from}
	for _, name := range preset.Names() {
		if c, err := preset.Named(name); err == nil && len(w.misses(c, from)) == 0 {
			fits.addPreset(name, c)
		}
	}
	presets := len(fits.fits)
	var bases []uid.Layout // the least that each unit needs, where that fits
	for _, unit := range units {
		if base := w.need(unit, from); bitsOf(base) <= idBits {
			bases = append(bases, base)
			fits.add("balanced", spread(base, idBits, from))
		}
	}
	if len(bases) > 0 {
		base := bases[0]
		favour := min(bitsOf(base)+8, idBits) // 256 times as required, the rest spread evenly
		fits.add("long life", spread(spread(base, favour, from, clock), idBits, from))
		fits.add("many workers", spread(spread(base, favour, from, workers), idBits, from))
		fits.add("high rate", spread(spread(base, favour, from, sequence), idBits, from))
		if bitsOf(base) <= jsBits {
			fits.add("JavaScript-safe", spread(base, jsBits, from))
		}
	}
	if len(fits.fits) == 0 {
		return nil, newConflict(w, from)
	}
	return fits.inOrder(presets), nil
}

// list gathers fits, each layout once.
type list struct {
	requirements Requirements
	from         time.Time
	fits         []Fit
}

func (s *list) add(name string, l uid.Layout) {
	for _, f := range s.fits {
		if f.Layout == l {
			return
		}
	}
	s.fits = append(s.fits, newFit(name, uid.Config{Layout: l}, s.requirements, s.from))
}

// addPreset gathers a preset; systems with one layout share a fit.
func (s *list) addPreset(name string, c uid.Config) {
	for i := range s.fits {
		if s.fits[i].Layout == c.Layout {
			s.fits[i].Name += ", " + name
			return
		}
	}
	s.fits = append(s.fits, newFit(name, c, s.requirements, s.from))
}

// inOrder puts other systems' layouts last, of which the first fits are: whoever takes
// the first layout there is has chosen none of these.
func (s *list) inOrder(presets int) []Fit {
	var first, others []Fit
	for _, f := range s.fits[:presets] {
		if f.Layout == uid.DefaultLayout {
			first = append(first, f)
		} else {
			others = append(others, f)
		}
	}
	return slices.Concat(first, s.fits[presets:], others)
}

// A field is where a spare bit may go. It reports whether it took the bit.
type field func(l *uid.Layout, from time.Time) bool

func sequence(l *uid.Layout, _ time.Time) bool { l.SeqBits++; return true }

func workers(l *uid.Layout, _ time.Time) bool { l.WorkerBits++; return true }

// clock takes a bit unless the layout lasts for a thousand years as it is.
func clock(l *uid.Layout, from time.Time) bool {
	if l.End().After(after(from, 1000*daysPerYear*secondsPerDay)) {
		return false
	}
	l.TimeBits++
	return true
}

// spread gives bits to the fields in turn, to all when none is named, until the
// layout has so many or the fields want no more.
func spread(l uid.Layout, bits int, from time.Time, fields ...field) uid.Layout {
	if len(fields) == 0 {
		fields = []field{sequence, clock, workers}
	}
	for taken := true; taken; {
		taken = false
		for _, take := range fields {
			if bitsOf(l) < bits && take(&l, from) {
				taken = true
			}
		}
	}
	return l
}

func bitsOf(l uid.Layout) int { return l.TimeBits + l.WorkerBits + l.SeqBits }
