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

// Conflict is the error of wishes that no layout grants together.
type Conflict struct {
	// Need is the layout that comes nearest, in the unit that serves best. Its
	// bits are too many.
	Need uid.Layout

	// Ways are the changes of a single wish that make the others fit, the
	// smallest first. The first one is the wish that is in the way. Empty when
	// more than one wish has to give way.
	Ways []Way

	wishes Wishes
}

// Way is one wish, taken back far enough.
type Way struct {
	Wish  string  // "nodes", "starts a day", "ids a second", "years"; or "recycled"
	Asked float64 // what was wished for
	Fits  float64 // how much of it fits, rounded down to two digits; 0 for "recycled"
}

// recycled is the Wish of the way that takes nothing back: leased worker ids
// instead of a new one for each start.
const recycled = "recycled"

func (w Way) String() string {
	if w.Wish == recycled {
		return "recycle worker ids (leased ones come back)"
	}
	return fmt.Sprintf("at most %s %s", number(w.Fits), w.Wish)
}

func (c *Conflict) Error() string {
	n := c.Need
	s := fmt.Sprintf("plan: nothing fits: time %d + worker %d + sequence %d are %d bits, with ticks of %v, and an id has %d",
		n.TimeBits, n.WorkerBits, n.SeqBits, bitsOf(n), n.Unit, idBits)
	if len(c.Ways) == 0 {
		return s + "; more than one wish is in the way"
	}
	var ways []string
	for _, w := range c.Ways {
		ways = append(ways, w.String())
	}
	return fmt.Sprintf("%s; in the way are %s; one of these is enough: %s", s, c.inTheWay(), strings.Join(ways, ", or "))
}

// inTheWay describes the wish that has to give way the least.
func (c *Conflict) inTheWay() string {
	w := c.Ways[0]
	if w.Wish == recycled {
		return fmt.Sprintf("the worker ids, a new one for each start (%s a day for %s years)", number(c.wishes.StartsPerDay), number(c.wishes.Years))
	}
	return fmt.Sprintf("the %s %s", number(w.Asked), w.Wish)
}

func newConflict(w Wishes, now time.Time) *Conflict {
	c := &Conflict{Need: w.least(now), wishes: w}
	leased := w
	leased.Recycled = true
	if !w.Recycled && leased.possible(now) {
		c.Ways = append(c.Ways, Way{Wish: recycled})
	}
	var ways []Way
	for _, k := range knobs {
		if way, ok := k.turnDown(w, now); ok {
			ways = append(ways, way)
		}
	}
	slices.SortStableFunc(ways, func(a, b Way) int { return cmp.Compare(a.Asked/a.Fits, b.Asked/b.Fits) })
	c.Ways = append(c.Ways, ways...)
	return c
}

// possible reports whether some layout grants the wishes.
func (w Wishes) possible(now time.Time) bool { return bitsOf(w.least(now)) <= idBits }

// A knob is a wish that may be turned down.
type knob struct {
	wish  string
	value func(Wishes) float64
	set   func(*Wishes, float64)
}

var knobs = [...]knob{
	{"starts a day", func(w Wishes) float64 { return w.StartsPerDay }, func(w *Wishes, v float64) { w.StartsPerDay = v }},
	{"years", func(w Wishes) float64 { return w.Years }, func(w *Wishes, v float64) { w.Years = v }},
	{"ids a second", func(w Wishes) float64 { return w.IDsPerSecond }, func(w *Wishes, v float64) { w.IDsPerSecond = v }},
	{"nodes", func(w Wishes) float64 { return float64(w.Nodes) }, func(w *Wishes, v float64) { w.Nodes = int64(v) }},
}

// turnDown returns the largest value of the wish that is possible with the other
// wishes as they are, and whether there is one. The fewer, the fewer bits: so it
// is found by bisection.
func (k knob) turnDown(w Wishes, now time.Time) (Way, bool) {
	asked := k.value(w)
	low, high := 0.0, asked
	for range 100 {
		middle := (low + high) / 2
		k.set(&w, middle)
		if w.possible(now) {
			low = middle
		} else {
			high = middle
		}
	}
	fits := twoDigits(low)
	if k.wish == "nodes" {
		fits = math.Floor(fits)
	}
	return Way{Wish: k.wish, Asked: asked, Fits: fits}, fits > 0
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
