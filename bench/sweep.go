package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// SweepReport tells how fast each of many combinations of settings is. The names
// of its JSON keys do not change.
type SweepReport struct {
	Started     time.Time    `json:"started"`
	Interrupted bool         `json:"interrupted"`
	Experiment  string       `json:"experiment,omitempty"`  // its name
	QuotedFrom  string       `json:"quoted_from,omitempty"` // where its rates were read
	Rounds      int          `json:"rounds"`
	Slice       float64      `json:"slice"` // seconds that a run took ids
	Axes        []SweepAxis  `json:"axes"`
	Points      []SweepPoint `json:"points"` // those that were measured, or failed
	Machine     Machine      `json:"machine"`
}

// SweepPoint is the run of the median ratio among those of a combination.
type SweepPoint struct {
	Combination
	RingIDs      int64   `json:"ring_ids"` // that the ring held
	IDsPerSecond float64 `json:"ids_per_second"`
	NSPerID      float64 `json:"ns_per_id"`
	AtomicAddNS  float64 `json:"atomic_add_ns"`
	Ratio        float64 `json:"ratio"`

	// LowestRatio and HighestRatio are those of all runs of the combination.
	LowestRatio  float64 `json:"lowest_ratio"`
	HighestRatio float64 `json:"highest_ratio"`

	RejectedTakes int64   `json:"rejected_takes"` // takes that found the ring empty
	AheadSeconds  float64 `json:"ahead_seconds"`  // of the clock, at the end
	LifeUsed      float64 `json:"life_used"`      // part of the layout's time, 0 to 1

	// QuotedIDsPerSecond is the experiment's rate; 0: there is none.
	QuotedIDsPerSecond float64 `json:"quoted_ids_per_second,omitempty"`

	Runs  []Round `json:"runs"`            // all runs, in order
	Error string  `json:"error,omitempty"` // why it could not be measured
}

// WriteSweepJSON writes the report as one object.
func WriteSweepJSON(w io.Writer, r SweepReport) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Sweep runs a new generator for every combination of the axes' values, in rounds:
// each round runs each combination once, in another order than the round before,
// for a slice of time.
//
// A combination that cannot be run has its Error in the report, and the others go
// on. Errors are ErrConfig, wrapped: nothing was run; the context's cause, wrapped:
// the report holds what was measured until then; and when no combination could be
// run, the first one's error, wrapped.
func Sweep(ctx context.Context, c SweepConfig) (SweepReport, error) {
	full, all, err := c.plan()
	if err != nil {
		return SweepReport{}, err
	}
	if full.New == nil {
		return SweepReport{}, fmt.Errorf("%w: nothing makes a generator: set New", ErrConfig)
	}
	s := sweep{SweepConfig: full, started: time.Now(), tasks: make([]sweepTask, len(all))}
	costs := make([]int64, len(all))
	for i, one := range all {
		s.tasks[i].Combination, costs[i] = one, 1
	}
	runs := newSeries(costs, full.Rounds, full.Progress)
	err = runs.do(ctx, func(i int) error { return s.measure(ctx, runs, &s.tasks[i]) })
	if err == nil {
		err = s.verdict()
	}
	return s.report(ctx.Err() != nil), err
}

// sweep is the state of a Sweep.
type sweep struct {
	SweepConfig
	started time.Time
	tasks   []sweepTask
}

// A sweepTask is a combination with what was measured so far.
type sweepTask struct {
	Combination
	runs    []SweepPoint
	failure error // it is not run again
}

func (s *sweep) measure(ctx context.Context, runs *series, t *sweepTask) error {
	if t.failure != nil {
		return nil
	}
	var r Report
	g, err := s.New(t.Combination)
	if err == nil {
		c := t.config(s.Slice)
		c.Generator = g
		r, err = runs.load(ctx, c)
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("bench: interrupted: %w", context.Cause(ctx))
	case err == nil && r.IDs == 0:
		err = fmt.Errorf("%w: not one id in %v: choose longer slices", ErrTakes, s.Slice)
	}
	if err != nil {
		t.failure = err
		return nil
	}
	t.runs = append(t.runs, SweepPoint{
		RingIDs: r.RingSize, IDsPerSecond: r.IDsPerSecond,
		NSPerID: r.NSPerID, AtomicAddNS: r.AtomicAddNS, Ratio: r.Ratio,
		RejectedTakes: r.RejectedTakes, AheadSeconds: r.AheadSeconds, LifeUsed: r.LifeUsed,
		Runs: []Round{{IDs: r.IDs, Seconds: r.Seconds, NSPerID: r.NSPerID, AtomicAddNS: r.AtomicAddNS, AtomicCallNS: r.AtomicCallNS}},
	})
	return nil
}

// verdict is an error when nothing at all could be measured.
func (s *sweep) verdict() error {
	for _, t := range s.tasks {
		if t.failure == nil {
			return nil
		}
	}
	return fmt.Errorf("bench: no combination could be run, the first is %v: %w", s.tasks[0].Combination, s.tasks[0].failure)
}

func (s *sweep) report(interrupted bool) SweepReport {
	r := SweepReport{
		Started:     s.started.UTC(),
		Interrupted: interrupted,
		Rounds:      s.Rounds,
		Slice:       s.Slice.Seconds(),
		Points:      []SweepPoint{}, // [] rather than null
		Machine:     thisMachine(),
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
func (t *sweepTask) point() (p SweepPoint, ok bool) {
	runs := []Round{}
	switch {
	case t.failure != nil:
		p.Error = t.failure.Error()
	case len(t.runs) == 0:
		return p, false
	default:
		p, p.LowestRatio, p.HighestRatio = middle(t.runs, func(p SweepPoint) float64 { return p.Ratio })
		for _, one := range t.runs {
			runs = append(runs, one.Runs...)
		}
	}
	p.Combination, p.Runs = t.Combination, runs
	return p, true
}
