package sweep

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/uid"
)

// Config sets up Run. Each axis has at least one value.
type Config struct {
	// New makes a generator for a combination, whose Goroutines do not matter. The run
	// closes it. A value that it refuses is reported.
	New func(Combination) (uid.Generator, error)

	Goroutines     []int // 1 to 10000
	BoostPowers    []int
	PaddingFactors []int
	Layouts        []uid.Layout
	Paths          []string // PathTake and so on

	// Rounds is how often each combination is run; the run with the median ratio counts.
	Rounds int

	// Slice is how long a run takes ids.
	Slice time.Duration

	// Progress is that of bench.Config, of all runs together. Nil: nobody is told.
	Progress func(bench.Progress)
}

const maxCombinations = 1000

// Plan returns how many combinations there are, and about how long it takes to run them
// all. Errors wrap bench.ErrConfig: invalid numbers of goroutines, a value that was given
// twice, or more than 1000 combinations.
func (c Config) Plan() (combinations int, about time.Duration, err error) {
	all, err := c.plan()
	if err != nil {
		return 0, 0, err
	}
	seconds := c.runSeconds() * float64(len(all)*c.Rounds)
	return len(all), time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second)), nil
}

// plan makes the combinations.
func (c Config) plan() ([]Combination, error) {
	// Elsewhere 0 stands for the default, so a table would say 0 of what was not.
	if slices.Contains(c.Goroutines, 0) || slices.Contains(c.PaddingFactors, 0) {
		return nil, fmt.Errorf("%w: goroutines and padding factors begin at 1: choose 1 or more",
			bench.ErrConfig)
	}
	for _, n := range c.Goroutines {
		if err := (bench.Config{Goroutines: n}).Validate(); err != nil {
			return nil, err
		}
	}
	if n := c.count(); n > maxCombinations {
		return nil, fmt.Errorf("%w: %s combinations, %s in %s: choose fewer values, for at most %s",
			bench.ErrConfig, humanize.Commaf(n), bench.FormatSpan(n*float64(c.Rounds)*c.runSeconds()),
			human.Count(int64(c.Rounds), "round"), humanize.Comma(maxCombinations))
	}
	all := c.combinations()
	seen := map[string]bool{}
	for _, one := range all {
		if seen[one.String()] {
			return nil, fmt.Errorf("%w: this comes twice: %v: choose each value once", bench.ErrConfig, one)
		}
		seen[one.String()] = true
	}
	return all, nil
}

// count is how many combinations there are, which may be too many for an int.
func (c Config) count() float64 {
	n := 1.0
	for _, values := range []int{len(c.Goroutines), len(c.BoostPowers), len(c.PaddingFactors),
		len(c.Layouts), len(c.Paths)} {
		n *= float64(values)
	}
	return n
}

// runSeconds is about how long one run takes.
func (c Config) runSeconds() float64 {
	return bench.Config{Goroutines: slices.Max(c.Goroutines), Duration: c.Slice}.Estimate().Seconds()
}
