package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// The values of Combination.Path: ways to take ids.
const (
	PathTake   = "take"   // one at a time
	PathBatch  = "batch"  // 1024 at a call
	PathStream = "stream" // one at a time from a stream for each goroutine
)

// paths are all of them.
var paths = []string{PathTake, PathBatch, PathStream}

// batch is how many ids PathBatch takes at a call.
const batch = 1024

// Combination has one value of each list of a sweep.
type Combination struct {
	Goroutines    int        `json:"goroutines"`
	BoostPower    int        `json:"boost_power"`
	PaddingFactor int        `json:"padding_factor"`
	Layout        uid.Layout `json:"-"`
	LayoutBits    string     `json:"layout"` // the Layout, by bench.FormatLayout
	Path          string     `json:"path"`
}

func (c Combination) String() string {
	return fmt.Sprintf("goroutines %d, boost power %d, padding factor %d, layout %s, path %s",
		c.Goroutines, c.BoostPower, c.PaddingFactor, c.LayoutBits, c.Path)
}

// Combinations are all of them; the first list changes least often. Errors wrap
// bench.ErrConfig.
func (c Config) Combinations() ([]Combination, error) {
	// Elsewhere a 0 stands for the default: a table would say what was not.
	for _, list := range []struct {
		of     string
		values []int
		least  int
	}{
		{"goroutines", c.Goroutines, 1}, {"padding factors", c.PaddingFactors, 1},
		{"boost powers", c.BoostPowers, 1},
	} {
		if len(list.values) > 0 && slices.Min(list.values) < list.least {
			return nil, fmt.Errorf("%w: %s begin at %d: choose that or more", bench.ErrConfig, list.of,
				list.least)
		}
	}
	for _, p := range c.Paths {
		if !slices.Contains(paths, p) {
			return nil, fmt.Errorf("%w: there is no path %q: choose among %s", bench.ErrConfig, p,
				strings.Join(paths, ", "))
		}
	}
	all := combine([]Combination{{}}, c.Goroutines,
		func(one *Combination, n int) { one.Goroutines = n })
	all = combine(all, c.BoostPowers, func(one *Combination, n int) { one.BoostPower = n })
	all = combine(all, c.PaddingFactors, func(one *Combination, n int) { one.PaddingFactor = n })
	all = combine(all, c.Layouts, func(one *Combination, l uid.Layout) {
		one.Layout, one.LayoutBits = l, bench.FormatLayout(l)
	})
	all = combine(all, c.Paths, func(one *Combination, p string) { one.Path = p })
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: a list is empty: choose one value at least", bench.ErrConfig)
	}
	return all, nil
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
