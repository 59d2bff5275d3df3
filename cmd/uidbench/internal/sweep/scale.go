package sweep

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// ScaleConfig sets up Scale. Zero fields mean the documented default.
type ScaleConfig struct {
	// New makes a generator for a combination, whose RingSize may be 0 for the default
	// ring. The run closes it.
	New func(Combination) (uid.Generator, error)

	Layout uid.Layout // Zero: uid.DefaultLayout
	Path   string     // PathTake and so on. "": PathTake
	Batch  int        // ids of a call of PathBatch. Zero: 1024

	// Limit is how many ids the longest run takes. Zero: 10^9.
	Limit int64

	// Repeats is how often each run is done; the one of the median ratio counts.
	// Zero: 3.
	Repeats int

	// Progress is that of bench.Config, of all runs together.
	Progress func(bench.Progress)
}

// AxisIDs is the number of ids of a run, which grows in Scale alone.
const AxisIDs = "ids"

const (
	scaleLimit   = 1_000_000_000 // ids of the longest run
	scaleRun     = 100_000_000   // ids of a run on the other two axes
	scaleFirst   = 1_000_000     // where the axis of ids begins
	scaleRepeats = 3
)

// ScaleReport says how the cost of an id changes as the work increases.
type ScaleReport struct {
	Started     time.Time     `json:"started"`
	Interrupted bool          `json:"interrupted"`
	Layout      string        `json:"layout"`
	Mode        string        `json:"mode"` // single, batch or stream
	Batch       int           `json:"batch"`
	Ordered     bool          `json:"ordered"`
	Repeats     int           `json:"repeats"`
	Axes        []ScaleAxis   `json:"axes"`
	Machine     bench.Machine `json:"machine"`
}

// ScaleAxis is a series of runs in which one thing increases and the others are fixed.
type ScaleAxis struct {
	Name   string       `json:"name"`
	Points []ScalePoint `json:"points"` // those that were measured
}

// ScalePoint is the run with the median ratio among its repetitions.
type ScalePoint struct {
	IDs         int64   `json:"ids"`
	RingSize    int64   `json:"ring_size"`
	Goroutines  int     `json:"goroutines"`
	NSPerID     float64 `json:"ns_per_id"`
	AtomicAddNS float64 `json:"atomic_add_ns"`
	Ratio       float64 `json:"ratio"`

	// LowestRatio and HighestRatio are those of all runs that were alike.
	LowestRatio  float64 `json:"lowest_ratio"`
	HighestRatio float64 `json:"highest_ratio"`

	// HeapBytes is what the heap still holds after the run, when it was
	// collected: the generator with its ring, and whatever it had leaked.
	HeapBytes int64 `json:"heap_bytes"`
	// ProcessBytes is what the process had from the system when the run ended,
	// with what it takes to measure.
	ProcessBytes int64 `json:"process_bytes"`
}

// X is where a point lies on an axis.
func (p ScalePoint) X(axis string) float64 {
	switch axis {
	case AxisRing:
		return float64(p.RingSize)
	case AxisGoroutines:
		return float64(p.Goroutines)
	}
	return float64(p.IDs)
}

// Scale is a sweep along three axes, one at a time: the number of ids, 10^6, 10^7 and so
// on up to Limit; the size of the ring, 2^13 to 2^24 ids; the number of goroutines, 1 to
// 64. Errors are those of bench.Run, and of New; the report holds whatever was measured
// until then.
func Scale(ctx context.Context, c ScaleConfig) (ScaleReport, error) {
	if err := c.validate(); err != nil {
		return ScaleReport{}, err
	}
	c.Limit = cmp.Or(c.Limit, scaleLimit)
	c.Repeats = cmp.Or(c.Repeats, scaleRepeats)
	c.Path = cmp.Or(c.Path, PathTake)
	c.Layout = cmp.Or(c.Layout, uid.DefaultLayout)
	if c.Path == PathBatch {
		c.Batch = cmp.Or(c.Batch, defaultBatch)
	}
	s := scale{ScaleConfig: c, started: time.Now(), tasks: c.tasks()}
	err := s.run(ctx)
	return s.report(ctx.Err() != nil), err
}

func (c ScaleConfig) validate() error {
	switch {
	case c.New == nil:
		return fmt.Errorf("%w: nothing makes a generator: set New", bench.ErrConfig)
	case c.Limit < 0 || c.Repeats < 0:
		return fmt.Errorf("%w: a limit of %d ids, %d repeats: choose 1 or more of each", bench.ErrConfig, c.Limit, c.Repeats)
	}
	return validPaths(c.Path)
}

// A scaleTask is a task on an axis, each of whose runs takes so many ids.
type scaleTask struct {
	task
	axis string
	ids  int64
}

func (c ScaleConfig) tasks() (all []*scaleTask) {
	add := func(axis string, ids int64, ring, goroutines int) {
		one := Combination{
			Goroutines: goroutines, BoostPower: defaultPower, PaddingFactor: defaultPadding, RingSize: ring,
			Layout: c.Layout, LayoutBits: bench.FormatLayout(c.Layout), Path: c.Path, Batch: c.Batch,
		}
		all = append(all, &scaleTask{task{Combination: one}, axis, ids})
	}
	cpus := runtime.GOMAXPROCS(0)
	for ids := int64(scaleFirst); ids < c.Limit; ids *= 10 {
		add(AxisIDs, ids, 0, cpus)
	}
	add(AxisIDs, c.Limit, 0, cpus)
	ids := min(c.Limit, scaleRun)
	for ring := 1 << 13; ring <= 1<<24; ring *= 2 {
		add(AxisRing, ids, ring, cpus)
	}
	for n := 1; n <= 64; n *= 2 {
		add(AxisGoroutines, ids, 0, n)
	}
	return all
}

// scale is the state of a Scale.
type scale struct {
	ScaleConfig
	started time.Time
	tasks   []*scaleTask
}

func (s *scale) run(ctx context.Context) error {
	var costs []int64
	for _, t := range s.tasks {
		costs = append(costs, t.ids)
	}
	all := newSeries(costs, s.Repeats, s.Progress)
	return all.do(ctx, func(i int) error {
		t := s.tasks[i]
		r, err := all.measure(ctx, s.New, t.Combination, bench.Config{Count: t.ids})
		if err != nil {
			return fmt.Errorf("%d ids, %d goroutines: %w", t.ids, t.Goroutines, err)
		}
		t.runs = append(t.runs, r)
		return nil
	})
}

func (s *scale) report(interrupted bool) ScaleReport {
	r := ScaleReport{
		Started:     s.started.UTC(),
		Interrupted: interrupted,
		Layout:      bench.FormatLayout(s.Layout),
		Mode:        map[string]string{PathTake: "single", PathRelaxed: "single", PathBatch: "batch", PathStream: "stream"}[s.Path],
		Batch:       s.Batch,
		Ordered:     s.Path != PathRelaxed,
		Repeats:     s.Repeats,
		Machine:     bench.ThisMachine(),
	}
	for _, name := range []string{AxisIDs, AxisRing, AxisGoroutines} {
		axis := ScaleAxis{Name: name, Points: []ScalePoint{}}
		for _, t := range s.tasks {
			if t.axis == name && len(t.runs) > 0 {
				axis.Points = append(axis.Points, t.scalePoint())
			}
		}
		r.Axes = append(r.Axes, axis)
	}
	return r
}

func (t *task) scalePoint() ScalePoint {
	r, lowest, highest := t.median()
	return ScalePoint{
		IDs: r.IDs, RingSize: r.RingSize, Goroutines: r.Goroutines,
		NSPerID: r.NSPerID, AtomicAddNS: r.AtomicAddNS, Ratio: r.Ratio,
		LowestRatio: lowest, HighestRatio: highest,
		HeapBytes: r.heap, ProcessBytes: r.process,
	}
}
