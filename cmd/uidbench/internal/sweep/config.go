package sweep

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/uid"
)

// Config sets up Run. Zero fields mean the documented default; an axis that is left out
// has only its default.
type Config struct {
	// New makes a generator for a combination, of which Goroutines and Batch do not
	// matter. The run closes it.
	New func(Combination) (uid.Generator, error)

	Goroutines     []int        // 1 to 10000. Nil: GOMAXPROCS
	BoostPowers    []int        // 0 to 62. Nil: 3
	PaddingFactors []int        // percentages, 1 to 99. Nil: 50
	RingSizes      []int        // in ids, instead of BoostPowers. Nil: these say
	Layouts        []uid.Layout // Nil: uid.DefaultLayout
	Paths          []string     // PathTake and so on. Nil: PathTake
	Batches        []int        // ids of a call, 1 to 2^20; PathBatch must be the only path. Nil: 1024

	// Rounds is how often each combination is run, at most 1000; the run with the median
	// ratio counts. Zero: 5.
	Rounds int

	// Slice is how long a run takes ids, at most a day. Zero: 100 ms.
	Slice time.Duration

	// Progress is that of bench.Config, of all runs together.
	Progress func(bench.Progress)
}

const (
	maxCombinations = 1000
	maxSweepRounds  = 1000
	maxSlice        = 24 * time.Hour
	maxPower        = 62

	defaultPower   = 3
	defaultPadding = 50
	defaultBatch   = 1024
	defaultRounds  = 5
	defaultSlice   = 100 * time.Millisecond
)

func (c Config) withDefaults() Config {
	fill := func(axis *[]int, with int) {
		if len(*axis) == 0 {
			*axis = []int{with}
		}
	}
	fill(&c.Goroutines, runtime.GOMAXPROCS(0))
	fill(&c.BoostPowers, defaultPower)
	fill(&c.PaddingFactors, defaultPadding)
	fill(&c.Batches, defaultBatch)
	if len(c.Layouts) == 0 {
		c.Layouts = []uid.Layout{uid.DefaultLayout}
	}
	if len(c.Paths) == 0 {
		c.Paths = []string{PathTake}
	}
	c.Rounds = cmp.Or(c.Rounds, defaultRounds)
	c.Slice = cmp.Or(c.Slice, defaultSlice)
	return c
}

// validate looks at what was given, before the defaults.
func (c Config) validate() error {
	for _, axis := range []struct {
		things     string
		values     []int
		least, top int
	}{
		{"goroutines", c.Goroutines, 1, math.MaxInt},
		{"boost powers", c.BoostPowers, 0, maxPower},
		{"padding factors", c.PaddingFactors, 1, 99},
		{"ring sizes", c.RingSizes, 1, math.MaxInt},
		{"batches", c.Batches, 1, math.MaxInt},
	} {
		for _, n := range axis.values {
			if n < axis.least {
				return fmt.Errorf("%w: %d among the %s: choose %d or more", bench.ErrConfig, n, axis.things,
					axis.least)
			}
			if n > axis.top {
				return fmt.Errorf("%w: %d among the %s: choose %d or less", bench.ErrConfig, n, axis.things,
					axis.top)
			}
		}
	}
	for _, n := range c.Goroutines {
		if err := (bench.Config{Goroutines: n}).Validate(); err != nil {
			return err
		}
	}
	for _, n := range c.Batches {
		if err := (bench.Config{Batch: n}).Validate(); err != nil {
			return err
		}
	}
	if err := validPaths(c.Paths...); err != nil {
		return err
	}
	switch {
	case len(c.RingSizes) > 0 && len(c.BoostPowers) > 0:
		return fmt.Errorf("%w: ring sizes and boost powers: choose one of them", bench.ErrConfig)
	case len(c.Batches) > 0 && !slices.Equal(c.Paths, []string{PathBatch}):
		return fmt.Errorf("%w: sizes of batches with other paths than batch: choose that path alone",
			bench.ErrConfig)
	case c.Rounds < 0 || c.Rounds > maxSweepRounds:
		return fmt.Errorf("%w: %d rounds: choose 1 to %d", bench.ErrConfig, c.Rounds, maxSweepRounds)
	case c.Slice < 0 || c.Slice > maxSlice:
		return fmt.Errorf("%w: slices of %v: choose up to %v, such as 100ms", bench.ErrConfig, c.Slice,
			maxSlice)
	}
	return nil
}

func validPaths(paths ...string) error {
	for _, p := range paths {
		if p != "" && !slices.Contains(Paths(), p) {
			return fmt.Errorf("%w: no path %q: there are %s", bench.ErrConfig, p,
				strings.Join(Paths(), ", "))
		}
	}
	return nil
}

// Plan returns how many combinations there are, and about how long it takes to run them
// all. Errors wrap bench.ErrConfig: invalid settings, or more than 1000 combinations.
func (c Config) Plan() (combinations int, about time.Duration, err error) {
	full, all, err := c.plan()
	if err != nil {
		return 0, 0, err
	}
	seconds := full.runSeconds() * float64(len(all)*full.Rounds)
	return len(all), time.Duration(min(seconds, math.MaxInt64/1e10) * float64(time.Second)), nil
}

// plan settles the defaults, and makes the combinations.
func (c Config) plan() (full Config, all []Combination, err error) {
	if err := c.validate(); err != nil {
		return c, nil, err
	}
	c = c.withDefaults()
	if n := c.count(); n > maxCombinations {
		return c, nil, fmt.Errorf("%w: %s combinations, %s in %s: choose fewer values, for at most %s",
			bench.ErrConfig, humanize.Commaf(n), bench.FormatSpan(n*float64(c.Rounds)*c.runSeconds()),
			human.Count(int64(c.Rounds), "round"),
			humanize.Comma(maxCombinations))
	}
	all = c.combinations()
	seen := map[Combination]bool{}
	for _, one := range all {
		if seen[one.key()] {
			return c, nil, fmt.Errorf("%w: this comes twice: %v: choose each value once", bench.ErrConfig,
				one)
		}
		seen[one.key()] = true
	}
	return c, all, nil
}

// key is the combination as reports show it, where layouts have no epoch.
func (c Combination) key() Combination {
	c.Layout = uid.Layout{}
	return c
}

// count is how many combinations there are, which may be too many for an int.
func (c Config) count() float64 {
	n := float64(max(len(c.RingSizes), len(c.BoostPowers)))
	for _, values := range []int{len(c.Goroutines), len(c.PaddingFactors), len(c.Layouts), c.ways()} {
		n *= float64(values)
	}
	return n
}

// ways is how many ways to take ids there are: batches come in sizes.
func (c Config) ways() (n int) {
	for _, p := range c.Paths {
		n += len(c.batches(p))
	}
	return n
}

// batches are the sizes to take ids in along a path, 0 for one by one.
func (c Config) batches(path string) []int {
	if path == PathBatch {
		return c.Batches
	}
	return []int{0}
}

// combinations are all of them; the first axis changes least often.
func (c Config) combinations() (all []Combination) {
	all = combine([]Combination{{}}, c.Goroutines,
		func(one *Combination, n int) { one.Goroutines = n })
	if len(c.RingSizes) > 0 {
		all = combine(all, c.RingSizes, func(one *Combination, n int) { one.RingSize = n })
	} else {
		all = combine(all, c.BoostPowers, func(one *Combination, n int) { one.BoostPower = n })
	}
	all = combine(all, c.PaddingFactors, func(one *Combination, n int) { one.PaddingFactor = n })
	all = combine(all, c.Layouts, func(one *Combination, l uid.Layout) {
		one.Layout, one.LayoutBits = l, bench.FormatLayout(l)
	})
	var ways []Combination
	for _, p := range c.Paths {
		for _, n := range c.batches(p) {
			ways = append(ways, Combination{Path: p, Batch: n})
		}
	}
	return combine(all, ways, func(one *Combination, w Combination) {
		one.Path, one.Batch = w.Path, w.Batch
	})
}

// runSeconds is about how long one run takes.
func (c Config) runSeconds() float64 {
	return bench.Config{Goroutines: slices.Max(c.Goroutines), Duration: c.Slice}.Estimate().Seconds()
}
