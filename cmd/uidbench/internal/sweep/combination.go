package sweep

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// The values of Combination.Path: ways to take ids.
const (
	PathTake    = "take"    // one at a time
	PathBatch   = "batch"   // 1024 at a call
	PathStream  = "stream"  // one at a time from a stream for each goroutine
	PathRelaxed = "relaxed" // one at a time, in no order: New must see to that
)

// Paths are all of them.
func Paths() []string { return []string{PathTake, PathBatch, PathStream, PathRelaxed} }

// batch is how many ids PathBatch takes at a call.
const batch = 1024

// Combination has one value of each axis of a sweep.
type Combination struct {
	Goroutines    int        `json:"goroutines"`
	BoostPower    int        `json:"boost_power"`
	PaddingFactor int        `json:"padding_factor"`
	Layout        uid.Layout `json:"-"`
	LayoutBits    string     `json:"layout"` // the Layout, by bench.FormatLayout
	Path          string     `json:"path"`
}

// Axis is something that was varied, or stayed as it was.
type Axis struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // one: it stayed
}

// Title is the name in words.
func (a Axis) Title() string { return strings.ReplaceAll(a.Name, "_", " ") }

// axes are where the combination lies, with one value each, in the order of its fields.
func (c Combination) axes() []Axis {
	return []Axis{
		{"goroutines", []string{strconv.Itoa(c.Goroutines)}},
		{"boost_power", []string{strconv.Itoa(c.BoostPower)}},
		{"padding_factor", []string{strconv.Itoa(c.PaddingFactor)}},
		{"layout", []string{c.LayoutBits}},
		{"path", []string{c.Path}},
	}
}

// Value is the combination's on an axis.
func (c Combination) Value(axis string) string {
	for _, a := range c.axes() {
		if a.Name == axis {
			return a.Values[0]
		}
	}
	return ""
}

// String lists the values.
func (c Combination) String() string { return c.along(c.axes()) }

// along says where the combination lies on some axes.
func (c Combination) along(axes []Axis) string {
	var all []string
	for _, a := range axes {
		all = append(all, a.Title()+" "+c.Value(a.Name))
	}
	return strings.Join(all, ", ")
}

// axesOf are the axes that the combinations lie on, with their values in order.
func axesOf(all []Combination) []Axis {
	axes := Combination{}.axes()
	for i := range axes {
		axes[i].Values = nil
		for _, c := range all {
			if v := c.Value(axes[i].Name); !slices.Contains(axes[i].Values, v) {
				axes[i].Values = append(axes[i].Values, v)
			}
		}
	}
	return axes
}

// combinations are all of them; the first axis changes least often.
func (c Config) combinations() []Combination {
	all := combine([]Combination{{}}, c.Goroutines,
		func(one *Combination, n int) { one.Goroutines = n })
	all = combine(all, c.BoostPowers, func(one *Combination, n int) { one.BoostPower = n })
	all = combine(all, c.PaddingFactors, func(one *Combination, n int) { one.PaddingFactor = n })
	all = combine(all, c.Layouts, func(one *Combination, l uid.Layout) {
		one.Layout, one.LayoutBits = l, bench.FormatLayout(l)
	})
	return combine(all, c.Paths, func(one *Combination, p string) { one.Path = p })
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
