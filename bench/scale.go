package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// ScaleConfig sets up Scale. Zero fields mean the documented default.
type ScaleConfig struct {
	// New makes the generator of one run, with a ring of so many ids, 0 for the
	// default ring. The run closes it.
	New func(ringSize int64) (Generator, error)

	// Limit is how many ids the longest run takes. Zero: 10^9.
	Limit int64

	// Repeats is how often each run is done; the one of the median ratio counts.
	// Zero: 3.
	Repeats int

	// Batch, Stream and Unordered are those of Config.
	Batch     int
	Stream    bool
	Unordered bool

	// Progress is that of Config, of all runs together.
	Progress func(Progress)
}

// The axes of Scale: what grows.
const (
	AxisIDs        = "ids"
	AxisRing       = "ring_size"
	AxisGoroutines = "goroutines"
)

const (
	scaleLimit   = 1_000_000_000 // ids of the longest run
	scaleRun     = 100_000_000   // ids of a run on the other two axes
	scaleFirst   = 1_000_000     // where the axis of ids begins
	scaleRepeats = 3
)

// ScaleReport tells how the cost of an id changes as the work grows.
type ScaleReport struct {
	Started     time.Time   `json:"started"`
	Interrupted bool        `json:"interrupted"`
	Layout      string      `json:"layout"`
	Mode        string      `json:"mode"` // single, batch or stream
	Batch       int         `json:"batch"`
	Ordered     bool        `json:"ordered"`
	Repeats     int         `json:"repeats"`
	Axes        []ScaleAxis `json:"axes"`
	Machine     Machine     `json:"machine"`
}

// ScaleAxis is a series of runs in which one thing grows and the others stay.
type ScaleAxis struct {
	Name   string       `json:"name"`
	Points []ScalePoint `json:"points"` // those that were measured
}

// ScalePoint is the run of the median ratio among those that were alike.
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

// Scale runs generators along three axes, one at a time: the number of ids, 10^6,
// 10^7 and so on up to Limit; the size of the ring, 2^13 to 2^24 ids; the number
// of goroutines, 1 to 64. Errors are those of Run, and of New; the report holds
// whatever was measured until then.
func Scale(ctx context.Context, c ScaleConfig) (ScaleReport, error) {
	switch {
	case c.New == nil:
		return ScaleReport{}, fmt.Errorf("%w: nothing makes a generator: set New", ErrConfig)
	case c.Limit < 0 || c.Repeats < 0:
		return ScaleReport{}, fmt.Errorf("%w: a limit of %d ids, %d repeats: choose 1 or more of each", ErrConfig, c.Limit, c.Repeats)
	}
	c.Limit = cmp.Or(c.Limit, scaleLimit)
	c.Repeats = cmp.Or(c.Repeats, scaleRepeats)
	s := scale{ScaleConfig: c, started: time.Now(), tasks: tasks(c.Limit)}
	err := s.do(ctx)
	return s.report(ctx.Err() != nil), err
}

// A task is what the runs of one point have in common.
type task struct {
	axis       string
	ids, ring  int64
	goroutines int
	runs       []ScalePoint
}

func tasks(limit int64) (all []*task) {
	cpus := runtime.GOMAXPROCS(0)
	for ids := int64(scaleFirst); ids < limit; ids *= 10 {
		all = append(all, &task{axis: AxisIDs, ids: ids, goroutines: cpus})
	}
	all = append(all, &task{axis: AxisIDs, ids: limit, goroutines: cpus})
	ids := min(limit, scaleRun)
	for ring := int64(1 << 13); ring <= 1<<24; ring *= 2 {
		all = append(all, &task{axis: AxisRing, ids: ids, ring: ring, goroutines: cpus})
	}
	for n := 1; n <= 64; n *= 2 {
		all = append(all, &task{axis: AxisGoroutines, ids: ids, goroutines: n})
	}
	return all
}

// scale is the state of a Scale.
type scale struct {
	ScaleConfig
	started time.Time
	tasks   []*task
	last    Report
}

func (s *scale) do(ctx context.Context) error {
	var costs []int64
	for _, t := range s.tasks {
		costs = append(costs, t.ids)
	}
	all := newSeries(costs, s.Repeats, s.Progress)
	return all.do(ctx, func(i int) error {
		t := s.tasks[i]
		p, err := s.measure(ctx, all, t)
		if err != nil {
			return fmt.Errorf("%d ids, %d goroutines: %w", t.ids, t.goroutines, err)
		}
		t.runs = append(t.runs, p)
		return nil
	})
}

func (s *scale) measure(ctx context.Context, all *series, t *task) (ScalePoint, error) {
	g, err := s.New(t.ring)
	if err != nil {
		return ScalePoint{}, err
	}
	r, err := all.load(ctx, Config{
		Generator: g, Count: t.ids, Goroutines: t.goroutines,
		Batch: s.Batch, Stream: s.Stream, Unordered: s.Unordered,
	})
	process := processBytes()
	runtime.GC()
	heap := readMetric("/memory/classes/heap/objects:bytes")
	runtime.KeepAlive(g)
	if err == nil {
		s.last = r
	}
	return ScalePoint{
		IDs: r.IDs, RingSize: r.RingSize, Goroutines: r.Goroutines,
		NSPerID: r.NSPerID, AtomicAddNS: r.AtomicAddNS, Ratio: r.Ratio,
		HeapBytes: heap, ProcessBytes: process,
	}, err
}

func (s *scale) report(interrupted bool) ScaleReport {
	r := ScaleReport{
		Started:     s.started.UTC(),
		Interrupted: interrupted,
		Layout:      s.last.Layout,
		Mode:        Config{Batch: s.Batch, Stream: s.Stream}.mode(),
		Batch:       s.Batch,
		Ordered:     !s.Unordered,
		Repeats:     s.Repeats,
		Machine:     thisMachine(),
	}
	for _, name := range []string{AxisIDs, AxisRing, AxisGoroutines} {
		axis := ScaleAxis{Name: name, Points: []ScalePoint{}}
		for _, t := range s.tasks {
			if t.axis == name && len(t.runs) > 0 {
				axis.Points = append(axis.Points, median(t.runs))
			}
		}
		r.Axes = append(r.Axes, axis)
	}
	return r
}

// median is the run that counts among those that were alike.
func median(runs []ScalePoint) ScalePoint {
	p, lowest, highest := middle(runs, func(p ScalePoint) float64 { return p.Ratio })
	p.LowestRatio, p.HighestRatio = lowest, highest
	return p
}

// processBytes is what the process has from the system and did not give back.
func processBytes() int64 {
	return readMetric("/memory/classes/total:bytes") - readMetric("/memory/classes/heap/released:bytes")
}

func readMetric(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
