package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/uid"
)

// Conflict is the error for requirements that no layout meets together.
type Conflict struct {
	// Need is the layout that comes nearest, in the unit that serves best. Its
	// bits are too many.
	Need uid.Layout

	// Ways are the changes of a single requirement that make the others fit, the
	// smallest first. Empty when more than one requirement has to give way.
	Ways []Way
}

// Way is one requirement, taken back far enough.
type Way struct {
	Requirement string  // "nodes", "starts a day", "ids a second", "years"; or "recycled"
	Fits        float64 // how much of it fits, rounded down to two digits; 0 for "recycled"
	part        float64 // of what was asked for
}

// recycled is the Requirement of the way that takes nothing back: leased worker ids
// instead of a new one for each start.
const recycled = "recycled"

func (w Way) String() string {
	if w.Requirement == recycled {
		return "recycle worker ids (leased ones come back)"
	}
	return fmt.Sprintf("at most %s %s", human.Number(w.Fits), w.Requirement)
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
	return fmt.Sprintf("%s; one of these is enough: %s", s, strings.Join(ways, ", or "))
}

func newConflict(w Requirements, from time.Time) *Conflict {
	c := &Conflict{Need: w.least(from)}
	leased := w
	leased.Recycled = true
	if !w.Recycled && leased.possible(from) {
		c.Ways = append(c.Ways, Way{Requirement: recycled, part: 1})
	}
	turnDown := func(requirement string, asked float64, set func(*Requirements, float64)) {
		fits := mostOf(w, from, asked, set)
		if requirement == "nodes" {
			fits = math.Floor(fits)
		}
		if fits > 0 {
			c.Ways = append(c.Ways, Way{requirement, fits, fits / asked})
		}
	}
	turnDown("starts a day", w.StartsPerDay, func(w *Requirements, v float64) { w.StartsPerDay = v })
	turnDown("years", w.Years, func(w *Requirements, v float64) { w.Years = v })
	turnDown("ids a second", w.IDsPerSecond, func(w *Requirements, v float64) { w.IDsPerSecond = v })
	turnDown("nodes", float64(w.Nodes), func(w *Requirements, v float64) { w.Nodes = int64(v) })
	slices.SortStableFunc(c.Ways, func(a, b Way) int { return cmp.Compare(b.part, a.part) })
	return c
}

// possible reports whether some layout grants the requirements.
func (w Requirements) possible(from time.Time) bool { return bitsOf(w.least(from)) <= idBits }

// mostOf returns the largest value of one requirement that is possible with the others as
// they are, to two digits. The fewer, the fewer bits: so it is found by bisection.
func mostOf(w Requirements, from time.Time, asked float64,
	set func(*Requirements, float64)) float64 {
	low, high := 0.0, asked
	for range 100 {
		middle := (low + high) / 2
		set(&w, middle)
		if w.possible(from) {
			low = middle
		} else {
			high = middle
		}
	}
	if low <= 0 {
		return 0
	}
	scale := math.Pow(10, math.Floor(math.Log10(low))-1)
	return math.Floor(low/scale) * scale
}
