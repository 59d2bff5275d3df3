package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Conflict is the error for requirements that no layout meets together.
type Conflict struct {
	// Need is the layout that comes nearest, in the unit that serves best. Its
	// bits are too many.
	Need uid.Layout

	// Ways are the changes of a single requirement that make the others fit, the
	// smallest first. The first one is the requirement that is in the way. Empty when
	// more than one requirement has to give way.
	Ways []Way

	requirements Requirements
}

// Way is one requirement, taken back far enough.
type Way struct {
	Requirement string  // "nodes", "starts a day", "ids a second", "years"; or "recycled"
	Asked       float64 // what was required
	Fits        float64 // how much of it fits, rounded down to two digits; 0 for "recycled"
}

// recycled is the Requirement of the way that takes nothing back: leased worker ids
// instead of a new one for each start.
const recycled = "recycled"

func (w Way) String() string {
	if w.Requirement == recycled {
		return "recycle worker ids (leased ones come back)"
	}
	return fmt.Sprintf("at most %s %s", number(w.Fits), w.Requirement)
}

func (c *Conflict) Error() string {
	n := c.Need
	s := fmt.Sprintf("plan: nothing fits: time %d + worker %d + sequence %d are %d bits, with "+
		"ticks of %v, and an id has %d",
		n.TimeBits, n.WorkerBits, n.SeqBits, bitsOf(n), n.Unit, idBits)
	if len(c.Ways) == 0 {
		return s + "; more than one requirement is in the way"
	}
	var ways []string
	for _, w := range c.Ways {
		ways = append(ways, w.String())
	}
	return fmt.Sprintf("%s; in the way are %s; one of these is enough: %s", s, c.inTheWay(),
		strings.Join(ways, ", or "))
}

// inTheWay describes the requirement that has to give way the least.
func (c *Conflict) inTheWay() string {
	w := c.Ways[0]
	if w.Requirement == recycled {
		return fmt.Sprintf("the worker ids, a new one for each start (%s a day for %s years)",
			number(c.requirements.StartsPerDay), number(c.requirements.Years))
	}
	return fmt.Sprintf("the %s %s", number(w.Asked), w.Requirement)
}

func newConflict(w Requirements, from time.Time) *Conflict {
	c := &Conflict{Need: w.least(from), requirements: w}
	leased := w
	leased.Recycled = true
	if !w.Recycled && leased.possible(from) {
		c.Ways = append(c.Ways, Way{Requirement: recycled})
	}
	var ways []Way
	for _, k := range knobs {
		if way, ok := k.turnDown(w, from); ok {
			ways = append(ways, way)
		}
	}
	slices.SortStableFunc(ways,
		func(a, b Way) int { return cmp.Compare(a.Asked/a.Fits, b.Asked/b.Fits) })
	c.Ways = append(c.Ways, ways...)
	return c
}

// possible reports whether some layout grants the requirements.
func (w Requirements) possible(from time.Time) bool { return bitsOf(w.least(from)) <= idBits }

// A knob is a requirement that may be turned down.
type knob struct {
	requirement string
	value       func(Requirements) float64
	set         func(*Requirements, float64)
}

var knobs = [...]knob{
	{"starts a day", func(w Requirements) float64 { return w.StartsPerDay },
		func(w *Requirements, v float64) { w.StartsPerDay = v }},
	{"years", func(w Requirements) float64 { return w.Years },
		func(w *Requirements, v float64) { w.Years = v }},
	{"ids a second", func(w Requirements) float64 { return w.IDsPerSecond },
		func(w *Requirements, v float64) { w.IDsPerSecond = v }},
	{"nodes", func(w Requirements) float64 { return float64(w.Nodes) },
		func(w *Requirements, v float64) { w.Nodes = int64(v) }},
}

// turnDown returns the largest value of the requirement that is possible with the other
// requirements as they are, and whether there is one. The fewer, the fewer bits: so it
// is found by bisection.
func (k knob) turnDown(w Requirements, from time.Time) (Way, bool) {
	asked := k.value(w)
	low, high := 0.0, asked
	for range 100 {
		middle := (low + high) / 2
		k.set(&w, middle)
		if w.possible(from) {
			low = middle
		} else {
			high = middle
		}
	}
	fits := twoDigits(low)
	if k.requirement == "nodes" {
		fits = math.Floor(fits)
	}
	return Way{Requirement: k.requirement, Asked: asked, Fits: fits}, fits > 0
}

// twoDigits rounds down to about two significant digits.
func twoDigits(v float64) float64 {
	if v <= 0 {
		return 0
	}
	scale := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Floor(v/scale) * scale
}

// number writes a number without an exponent, in at most six digits when it has
// a fraction, so that 0.45 is not 0.45000000000000001.
func number(v float64) string {
	if v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64) // always a number
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
