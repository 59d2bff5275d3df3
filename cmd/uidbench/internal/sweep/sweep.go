// Package sweep measures generators with several settings, to compare them.
//
// Run measures every combination of settings. It repeats all runs several times, each time
// in another order, so that a phase in which the machine is slower does not affect one of
// them alone; of the repetitions of a run, the one with the median ratio counts.
package sweep

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// The values of Combination.Path: ways to take ids.
const (
	PathTake   = "take"   // one at a time
	PathBatch  = "batch"  // 1024 at a call
	PathStream = "stream" // one at a time from a stream for each goroutine
)

// batch is how many ids PathBatch takes at a call.
const batch = 1024

// Config sets up Run. Each list has at least one value.
type Config struct {
	// New makes a generator for a combination, whose Goroutines do not matter. The run closes the
	// generator. A value that New refuses is reported.
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

	// Progress, if not nil, is called after each run, with the part of all runs that is done.
	Progress func(bench.Progress)
}

// Combination has one value of each list of a sweep.
type Combination struct {
	Goroutines    int        `json:"goroutines"`
	BoostPower    int        `json:"boost_power"`
	PaddingFactor int        `json:"padding_factor"`
	Layout        uid.Layout `json:"-"`
	LayoutBits    string     `json:"layout"` // the Layout, by bench.FormatLayout
	Path          string     `json:"path"`
}

// Report says how fast each of many combinations of settings is. The names of its JSON
// keys do not change.
type Report struct {
	Started      time.Time `json:"started"`
	Interrupted  bool      `json:"interrupted"`
	Rounds       int       `json:"rounds"`
	Slice        float64   `json:"slice"` // seconds that a run took ids
	Combinations int       `json:"combinations"`
	Points       []Point   `json:"points"` // those that were measured, or failed
	Machine      string    `json:"machine"`
}

// Point is the run with the median ratio among those of a combination.
type Point struct {
	Combination
	RingIDs      int64   `json:"ring_ids"` // ids that the ring held
	IDsPerSecond float64 `json:"ids_per_second"`
	NSPerID      float64 `json:"ns_per_id"`
	AtomicAddNS  float64 `json:"atomic_add_ns"`
	Ratio        float64 `json:"ratio"`

	// LowestRatio and HighestRatio are those of all runs of the combination.
	LowestRatio  float64 `json:"lowest_ratio"`
	HighestRatio float64 `json:"highest_ratio"`

	RejectedTakes int64 `json:"rejected_takes"` // that found the ring empty and waited

	Runs  []bench.Report `json:"runs"`            // all runs, in order; none if it failed
	Error string         `json:"error,omitempty"` // why it could not be measured
	err   error          // the same; it is not run again
}

// Run runs a new generator for every combination of the lists' values, in rounds: each
// round runs each combination once, in another order than the round before, for a slice
// of time.
//
// A combination that cannot be run has its Error in the report, and the others continue.
// Errors wrap bench.ErrConfig, when nothing was run; the context's cause, when the report
// has what was measured until then; or the error of the first combination, when none
// could be run.
func Run(ctx context.Context, c Config) (Report, error) {
	points, err := c.Combinations()
	if err != nil {
		return Report{}, err
	}
	r := Report{Started: time.Now().UTC(), Rounds: c.Rounds, Slice: c.Slice.Seconds(),
		Combinations: len(points), Points: []Point{}, Machine: bench.Machine()}
	for n := range c.Rounds * len(points) {
		round := n / len(points)
		p := &points[turns(len(points), round)[n%len(points)]]
		if ctx.Err() == nil && p.err == nil {
			debug.FreeOSMemory() // so that no run inherits from the one before
			c.measure(ctx, p)
		}
		if r.Interrupted = ctx.Err() != nil; r.Interrupted {
			break
		}
		c.tell(r, n+1, p)
	}
	failed := 0
	for _, p := range points {
		if p.err != nil {
			failed++
			p.Error, p.Runs = p.err.Error(), []bench.Report{} // [] rather than null
		} else if len(p.Runs) > 0 {
			p.settle()
		} else {
			continue
		}
		r.Points = append(r.Points, p)
	}
	switch {
	case r.Interrupted:
		err = fmt.Errorf("interrupted: %w", context.Cause(ctx))
	case failed == len(points):
		err = fmt.Errorf("no combination could be run, the first is %v: %w", points[0].Combination,
			points[0].err)
	}
	return r, err
}

// Combinations returns all combinations; the first list changes least often. Errors wrap
// bench.ErrConfig.
func (c Config) Combinations() (all []Point, err error) {
	// Elsewhere 0 stands for the default, so a table would show a value that was not used.
	for name, values := range map[string][]int{"goroutines": c.Goroutines,
		"padding factors": c.PaddingFactors, "boost powers": c.BoostPowers} {
		if len(values) > 0 && slices.Min(values) < 1 {
			return nil, fmt.Errorf("%w: %s begin at 1: choose that or more", bench.ErrConfig, name)
		}
	}
	paths := []string{PathTake, PathBatch, PathStream}
	for _, p := range c.Paths {
		if !slices.Contains(paths, p) {
			return nil, fmt.Errorf("%w: there is no path %q: choose among %s", bench.ErrConfig, p,
				strings.Join(paths, ", "))
		}
	}
	for _, goroutines := range c.Goroutines {
		for _, boost := range c.BoostPowers {
			for _, padding := range c.PaddingFactors {
				for _, l := range c.Layouts {
					for _, path := range c.Paths {
						all = append(all, Point{Combination: Combination{
							goroutines, boost, padding, l, bench.FormatLayout(l), path}})
					}
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: a list is empty: choose one value at least", bench.ErrConfig)
	}
	return all, nil
}

// turns returns the order of n runs in a round; rounds count from 0. Each round begins with
// another run than the one before, and every other round goes backwards, so that what a run
// leaves behind, such as caches or heat, does not always affect the same one.
func turns(n, round int) []int {
	order := make([]int, n)
	for i := range n {
		order[i] = (i + round/2) % n
	}
	if round%2 == 1 {
		slices.Reverse(order)
	}
	return order
}

// measure runs a new generator. A run that an interrupt cut short does not count.
func (c Config) measure(ctx context.Context, p *Point) {
	g, err := c.New(p.Combination)
	var r bench.Report
	if err == nil {
		load := bench.Config{Generator: g, Duration: c.Slice, Goroutines: p.Goroutines,
			Stream: p.Path == PathStream}
		if p.Path == PathBatch {
			load.Batch = batch
		}
		r, err = bench.Run(ctx, load)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		p.err = err
	case figure(r, "ids") == 0:
		p.err = fmt.Errorf("not one id in %v: choose longer slices", c.Slice)
	default:
		p.Runs = append(p.Runs, r)
	}
}

// tell reports the progress after done runs, the last of which was one of p.
func (c Config) tell(r Report, done int, p *Point) {
	if c.Progress == nil {
		return
	}
	at := bench.Progress{Part: float64(done) / float64(r.Combinations*c.Rounds)}
	at.Left = time.Duration(float64(time.Since(r.Started)) * (1 - at.Part) / at.Part)
	if n := len(p.Runs); n > 0 {
		at.Rate = figure(p.Runs[n-1], "ids_per_second")
	}
	c.Progress(at)
}

// settle fills in the figures of the run with the median ratio, the slower of two in the
// middle, and the lowest and the highest ratio of all runs.
func (p *Point) settle() {
	sorted := slices.SortedStableFunc(slices.Values(p.Runs), func(a, b bench.Report) int {
		return cmp.Compare(figure(a, "ratio"), figure(b, "ratio"))
	})
	r := sorted[len(sorted)/2]
	p.RingIDs = int64(figure(r, "ring_size"))
	p.IDsPerSecond = figure(r, "ids_per_second")
	p.NSPerID, p.AtomicAddNS = figure(r, "ns_per_id"), figure(r, "atomic_add_ns")
	p.Ratio, p.LowestRatio = figure(r, "ratio"), figure(sorted[0], "ratio")
	p.HighestRatio = figure(sorted[len(sorted)-1], "ratio")
	p.RejectedTakes = int64(figure(r, "rejected_takes"))
}

// figure returns a figure that every report has.
func figure(r bench.Report, key string) float64 {
	v, _ := r.Figure(key)
	return v
}
