package sweep

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/uid"
)

// The axes of a sweep.
const (
	AxisGoroutines = "goroutines"
	AxisBoost      = "boost_power"
	AxisPadding    = "padding_factor"
	AxisRing       = "ring_size"
	AxisLayout     = "layout"
	AxisPath       = "path"
	AxisBatch      = "batch"
)

// The values of AxisPath: ways to take ids.
const (
	PathTake    = "take"    // one at a time
	PathBatch   = "batch"   // many at a call
	PathStream  = "stream"  // one at a time from a stream for each goroutine
	PathRelaxed = "relaxed" // one at a time, in no order: New must see to that
)

// Paths are all of them.
func Paths() []string { return []string{PathTake, PathBatch, PathStream, PathRelaxed} }

// Combination has one value of each axis of a sweep.
type Combination struct {
	Goroutines    int        `json:"goroutines"`
	BoostPower    int        `json:"boost_power"` // without effect if RingSize is set
	PaddingFactor int        `json:"padding_factor"`
	RingSize      int        `json:"ring_size,omitempty"` // as asked for; 0: BoostPower says
	Layout        uid.Layout `json:"-"`
	LayoutBits    string     `json:"layout"` // the Layout, by bench.FormatLayout
	Path          string     `json:"path"`
	// ids of a call; 0 for other paths than PathBatch
	Batch int `json:"batch,omitempty"`
}

// Value returns the combination's value on an axis, "" if it has none.
func (c Combination) Value(axis string) string {
	number := func(n int, means bool) string {
		if !means {
			return ""
		}
		return strconv.Itoa(n)
	}
	switch axis {
	case AxisGoroutines:
		return number(c.Goroutines, true)
	case AxisBoost:
		return number(c.BoostPower, c.RingSize == 0)
	case AxisPadding:
		return number(c.PaddingFactor, true)
	case AxisRing:
		return number(c.RingSize, c.RingSize > 0)
	case AxisLayout:
		return c.LayoutBits
	case AxisPath:
		return c.Path
	case AxisBatch:
		return number(c.Batch, c.Path == PathBatch)
	}
	return ""
}

// String lists the values.
func (c Combination) String() string { return c.along(axesOf([]Combination{c})) }

// along says where the combination lies on some axes.
func (c Combination) along(axes []Axis) string {
	var all []string
	for _, a := range axes {
		all = append(all, a.Title()+" "+c.Value(a.Name))
	}
	return strings.Join(all, ", ")
}

// combine makes a combination of each of all with each of the values.
func combine[V any](all []Combination, values []V, set func(*Combination, V)) (more []Combination) {
	for _, c := range all {
		for _, v := range values {
			set(&c, v)
			more = append(more, c)
		}
	}
	return more
}

// Axis is something that was varied, or stayed as it was.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // one: it stayed
}

// Title is the name in words.
func (a Axis) Title() string { return strings.ReplaceAll(a.Name, "_", " ") }

// axesOf are the axes that the combinations lie on, with their values in order.
func axesOf(all []Combination) (axes []Axis) {
	for _, name := range []string{AxisGoroutines, AxisBoost, AxisPadding, AxisRing, AxisLayout,
		AxisPath, AxisBatch} {
		axis := Axis{Name: name}
		for _, c := range all {
			if v := c.Value(name); v != "" && !slices.Contains(axis.Values, v) {
				axis.Values = append(axis.Values, v)
			}
		}
		if len(axis.Values) > 0 {
			axes = append(axes, axis)
		}
	}
	return axes
}
