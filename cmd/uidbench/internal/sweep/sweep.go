package sweep

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/bench"
)

// Report says how fast each of many combinations of settings is. The names of its JSON
// keys do not change.
type Report struct {
	Started     time.Time     `json:"started"`
	Interrupted bool          `json:"interrupted"`
	Experiment  string        `json:"experiment,omitempty"`  // its name
	QuotedFrom  string        `json:"quoted_from,omitempty"` // where its rates were read
	Rounds      int           `json:"rounds"`
	Slice       float64       `json:"slice"` // seconds that a run took ids
	Axes        []Axis        `json:"axes"`
	Points      []Point       `json:"points"` // those that were measured, or failed
	Machine     bench.Machine `json:"machine"`
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

	RejectedTakes int64   `json:"rejected_takes"` // that found the ring empty and waited
	AheadSeconds  float64 `json:"ahead_seconds"`  // of the clock, at the end
	LifeUsed      float64 `json:"life_used"`      // part of the layout's time, 0 to 1

	// QuotedIDsPerSecond is the experiment's rate; 0: there is none.
	QuotedIDsPerSecond float64 `json:"quoted_ids_per_second,omitempty"`

	Runs  []bench.Round `json:"runs"`            // all runs, in order
	Error string        `json:"error,omitempty"` // why it could not be measured
}

// Run runs a new generator for every combination of the axes' values, in rounds:
// each round runs each combination once, in another order than the round before,
// for a slice of time.
//
// A combination that cannot be run has its Error in the report, and the others continue.
// Errors wrap bench.ErrConfig, when nothing was run; the context's cause, when the report
// has what was measured until then; or the error of the first combination, when none
// could be run.
func Run(ctx context.Context, c Config) (Report, error) {
	full, all, err := c.plan()
	if err != nil {
		return Report{}, err
	}
	if full.New == nil {
		return Report{}, fmt.Errorf("%w: nothing makes a generator: set New", bench.ErrConfig)
	}
	s := sweep{Config: full, started: time.Now(), tasks: make([]task, len(all))}
	for i, one := range all {
		s.tasks[i].Combination = one
	}
	runs := newSeries(len(all), full.Rounds, full.Progress)
	err = runs.do(ctx, func(i int) error { return s.measure(ctx, runs, &s.tasks[i]) })
	if err == nil {
		err = s.verdict()
	}
	return s.report(ctx.Err() != nil), err
}

// sweep is the state of a Sweep.
type sweep struct {
	Config
	started time.Time
	tasks   []task
}

func (s *sweep) measure(ctx context.Context, all *series, t *task) error {
	if t.failure != nil {
		return nil
	}
	r, err := all.measure(ctx, s.New, t.Combination, bench.Config{Duration: s.Slice})
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	case err == nil && r.IDs == 0:
		err = fmt.Errorf("%w: not one id in %v: choose longer slices", bench.ErrTakes, s.Slice)
	}
	if err != nil {
		t.failure = err
		return nil
	}
	t.runs = append(t.runs, r)
	return nil
}

// verdict is an error when nothing at all could be measured.
func (s *sweep) verdict() error {
	for _, t := range s.tasks {
		if t.failure == nil {
			return nil
		}
	}
	return fmt.Errorf("no combination could be run, the first is %v: %w", s.tasks[0].Combination, s.tasks[0].failure)
}

func (s *sweep) report(interrupted bool) Report {
	r := Report{
		Started:     s.started.UTC(),
		Interrupted: interrupted,
		Rounds:      s.Rounds,
		Slice:       s.Slice.Seconds(),
		Points:      []Point{}, // [] rather than null
		Machine:     bench.ThisMachine(),
	}
	if e := s.Experiment; e != nil {
		r.Experiment, r.QuotedFrom = e.Name, e.Source
	}
	var all []Combination
	for i, t := range s.tasks {
		all = append(all, t.Combination)
		p, ok := t.point()
		if !ok {
			continue
		}
		if s.Experiment != nil {
			p.QuotedIDsPerSecond = s.Experiment.Rates[i]
		}
		r.Points = append(r.Points, p)
	}
	r.Axes = axesOf(all)
	return r
}

// point is what there is to report of a combination, if there is anything.
func (t *task) point() (p Point, ok bool) {
	if t.failure != nil {
		return Point{Combination: t.Combination, Runs: []bench.Round{}, Error: t.failure.Error()}, true
	}
	if len(t.runs) == 0 {
		return Point{}, false
	}
	r, lowest, highest := t.median()
	p = Point{
		Combination: t.Combination,
		RingIDs:     r.RingSize, IDsPerSecond: r.IDsPerSecond,
		NSPerID: r.NSPerID, AtomicAddNS: r.AtomicAddNS, Ratio: r.Ratio,
		LowestRatio: lowest, HighestRatio: highest,
		RejectedTakes: r.RejectedTakes, AheadSeconds: r.AheadSeconds, LifeUsed: r.LifeUsed,
	}
	for _, one := range t.runs {
		p.Runs = append(p.Runs, bench.Round{
			IDs: one.IDs, Seconds: one.Seconds, NSPerID: one.NSPerID, AtomicAddNS: one.AtomicAddNS, AtomicCallNS: one.AtomicCallNS,
		})
	}
	return p, true
}
