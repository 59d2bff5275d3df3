package plan

import (
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

// Layouts returns the layouts that fit the wishes: the presets first, then one
// for each unit with the spare bits spread evenly, then some that favour one
// field. When none fits the error is a *Conflict. Wishes that make no
// sense are an error that wraps ErrWishes.
func Layouts(w Wishes, now time.Time) ([]Fit, error) {
	w, err := w.settled(now)
	if err != nil {
		return nil, err
	}
	fits := &list{wishes: w, now: now}
	for _, name := range preset.Names() {
		if c, err := preset.Named(name); err == nil && len(w.misses(c, now)) == 0 {
			fits.addPreset(name, c)
		}
	}
	var bases []uid.Layout // the least that each unit needs, where that fits
	for _, unit := range units {
		if base := w.need(unit, now); bitsOf(base) <= idBits {
			bases = append(bases, base)
			fits.add("balanced", spread(base, idBits, now))
		}
	}
	if len(bases) > 0 {
		base := bases[0]
		favour := min(bitsOf(base)+8, idBits) // 256 times as wished, the rest spread evenly
		fits.add("long life", spread(spread(base, favour, now, clock), idBits, now))
		fits.add("many workers", spread(spread(base, favour, now, workers), idBits, now))
		fits.add("high rate", spread(spread(base, favour, now, sequence), idBits, now))
		if bitsOf(base) <= jsBits {
			fits.add("JavaScript-safe", spread(base, jsBits, now))
		}
	}
	if len(fits.fits) == 0 {
		return nil, newConflict(w, now)
	}
	return fits.fits, nil
}

// list gathers fits, each layout once.
type list struct {
	wishes Wishes
	now    time.Time
	fits   []Fit
}

func (s *list) add(name string, l uid.Layout) {
	for _, f := range s.fits {
		if f.Layout == l {
			return
		}
	}
	s.fits = append(s.fits, newFit(name, uid.Config{Layout: l}, s.wishes, s.now))
}

// addPreset gathers a preset; systems with one layout share a fit.
func (s *list) addPreset(name string, c uid.Config) {
	for i := range s.fits {
		if s.fits[i].Layout == c.Layout {
			s.fits[i].Name += ", " + name
			return
		}
	}
	s.fits = append(s.fits, newFit(name, c, s.wishes, s.now))
}

// A field is where a spare bit may go. It reports whether it took the bit.
type field func(l *uid.Layout, now time.Time) bool

func sequence(l *uid.Layout, _ time.Time) bool { l.SeqBits++; return true }

func workers(l *uid.Layout, _ time.Time) bool { l.WorkerBits++; return true }

// clock takes a bit unless the layout lasts for a thousand years as it is.
func clock(l *uid.Layout, now time.Time) bool {
	if l.End().After(after(now, 1000*daysPerYear*secondsPerDay)) {
		return false
	}
	l.TimeBits++
	return true
}

// spread gives bits to the fields in turn, to all when none is named, until the
// layout has so many or the fields want no more.
func spread(l uid.Layout, bits int, now time.Time, fields ...field) uid.Layout {
	if len(fields) == 0 {
		fields = []field{sequence, clock, workers}
	}
	for taken := true; taken; {
		taken = false
		for _, take := range fields {
			if bitsOf(l) < bits && take(&l, now) {
				taken = true
			}
		}
	}
	return l
}

func bitsOf(l uid.Layout) int { return l.TimeBits + l.WorkerBits + l.SeqBits }
