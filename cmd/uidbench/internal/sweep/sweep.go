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
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// Config sets up Run. Each list has at least one value.
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

	// Progress is called after each run, with the part of all runs. Nil: nobody is told.
	Progress func(bench.Progress)
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
	RingIDs      int64   `json:"ring_ids"` // that the ring held
	IDsPerSecond float64 `json:"ids_per_second"`
	NSPerID      float64 `json:"ns_per_id"`
	AtomicAddNS  float64 `json:"atomic_add_ns"`
	Ratio        float64 `json:"ratio"`

	// LowestRatio and HighestRatio are those of all runs of the combination.
	LowestRatio  float64 `json:"lowest_ratio"`
	HighestRatio float64 `json:"highest_ratio"`

	RejectedTakes int64 `json:"rejected_takes"` // that found the ring empty and waited

	Runs  []bench.Report `json:"runs"`            // all runs, in order
	Error string         `json:"error,omitempty"` // why it could not be measured
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
	all, err := c.Combinations()
	if err != nil {
		return Report{}, err
	}
	s := sweep{Config: c, started: time.Now(), tasks: make([]task, len(all))}
	for i, one := range all {
		s.tasks[i].Combination = one
	}
	if err = s.run(ctx); err == nil {
		err = s.verdict()
	}
	return s.report(ctx.Err() != nil), err
}

// sweep is the state of a Run.
type sweep struct {
	Config
	started time.Time
	tasks   []task
	done    int // runs
}

// A task is what the runs of one combination have in common.
type task struct {
	Combination
	runs    []bench.Report
	failure error // it is not run again
}

// run runs each task in each round. It repeats all of the tasks rather than each: if the
// machine gets slower for a while, no task suffers from it alone.
func (s *sweep) run(ctx context.Context) error {
	for round := range s.Rounds {
		for _, i := range turns(len(s.tasks), round) {
			if ctx.Err() == nil && s.tasks[i].failure == nil {
				debug.FreeOSMemory() // no run is to inherit from the one before
				s.measure(ctx, &s.tasks[i])
			}
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			s.done++
			s.tell(s.tasks[i])
		}
	}
	return nil
}

// turns is the order of n tasks in a round, counted from 0. Each round begins with another
// task than the one before, and every other one goes backwards: what one task leaves, such
// as caches or heat, does not always affect the same one.
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

// measure runs a new generator of the task. What an interrupt cut short does not count.
func (s *sweep) measure(ctx context.Context, t *task) {
	g, err := s.New(t.Combination)
	var r bench.Report
	if err == nil {
		c := bench.Config{
			Generator: g, Duration: s.Slice, Goroutines: t.Goroutines,
			Stream: t.Path == PathStream,
		}
		if t.Path == PathBatch {
			c.Batch = batch
		}
		r, err = bench.Run(ctx, c)
	}
	switch {
	case ctx.Err() != nil:
		return
	case err == nil && figure(r, "ids") == 0:
		err = fmt.Errorf("not one id in %v: choose longer slices", s.Slice)
	}
	if t.failure = err; err == nil {
		t.runs = append(t.runs, r)
	}
}

// tell reports the progress after a run of t.
func (s *sweep) tell(t task) {
	if s.Progress == nil {
		return
	}
	p := bench.Progress{Part: float64(s.done) / float64(len(s.tasks)*s.Rounds)}
	p.Left = time.Duration(float64(time.Since(s.started)) * (1 - p.Part) / p.Part)
	if n := len(t.runs); n > 0 {
		p.Rate = figure(t.runs[n-1], "ids_per_second")
	}
	s.Progress(p)
}

// verdict is an error when nothing at all could be measured.
func (s *sweep) verdict() error {
	for _, t := range s.tasks {
		if t.failure == nil {
			return nil
		}
	}
	return fmt.Errorf("no combination could be run, the first is %v: %w", s.tasks[0].Combination,
		s.tasks[0].failure)
}

func (s *sweep) report(interrupted bool) Report {
	r := Report{
		Started:      s.started.UTC(),
		Interrupted:  interrupted,
		Rounds:       s.Rounds,
		Slice:        s.Slice.Seconds(),
		Combinations: len(s.tasks),
		Points:       []Point{}, // [] rather than null
		Machine:      bench.Machine(),
	}
	for _, t := range s.tasks {
		if t.failure != nil || len(t.runs) > 0 {
			r.Points = append(r.Points, t.point())
		}
	}
	return r
}

// point is what there is to report of a task that ran or failed: the run of the median ratio,
// the slower of two in the middle, and the lowest and the highest ratio of all.
func (t *task) point() Point {
	if t.failure != nil {
		return Point{Combination: t.Combination, Runs: []bench.Report{}, Error: t.failure.Error()}
	}
	sorted := slices.SortedStableFunc(slices.Values(t.runs), func(a, b bench.Report) int {
		return cmp.Compare(figure(a, "ratio"), figure(b, "ratio"))
	})
	r := sorted[len(sorted)/2]
	return Point{
		Combination:   t.Combination,
		RingIDs:       int64(figure(r, "ring_size")),
		IDsPerSecond:  figure(r, "ids_per_second"),
		NSPerID:       figure(r, "ns_per_id"),
		AtomicAddNS:   figure(r, "atomic_add_ns"),
		Ratio:         figure(r, "ratio"),
		LowestRatio:   figure(sorted[0], "ratio"),
		HighestRatio:  figure(sorted[len(sorted)-1], "ratio"),
		RejectedTakes: int64(figure(r, "rejected_takes")),
		Runs:          t.runs,
	}
}

// figure is one that every report has.
func figure(r bench.Report, key string) float64 {
	v, _ := r.Figure(key)
	return v
}
