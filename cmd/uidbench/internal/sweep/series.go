package sweep

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// A series is runs of several tasks in rounds. It repeats all of the tasks rather
// than each: if the machine gets slower for a while, no task suffers from it alone.
type series struct {
	costs    []int64 // of a run of each task, in any unit: progress is measured in it
	rounds   int
	progress func(bench.Progress) // of all runs together; nil: nobody asks

	started          time.Time
	todo, done, cost int64 // of all runs, of those that are done, of the present one
}

func newSeries(costs []int64, rounds int, progress func(bench.Progress)) *series {
	s := &series{costs: costs, rounds: rounds, progress: progress, started: time.Now()}
	for _, c := range costs {
		s.todo += c * int64(rounds)
	}
	return s
}

// do calls run for each task in each round. It ends with the first error, or when
// the context does.
func (s *series) do(ctx context.Context, run func(task int) error) error {
	for round := range s.rounds {
		for _, task := range turns(len(s.costs), round) {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			debug.FreeOSMemory() // no run is to inherit from the one before
			s.cost = s.costs[task]
			if err := run(task); err != nil {
				return err
			}
			s.done += s.cost
		}
	}
	return nil
}

// A task is what the runs of one combination have in common.
type task struct {
	Combination
	runs    []run
	failure error // it is not run again
}

// A run has a report, and the memory that there was at its end.
type run struct {
	bench.Report

	// heap is what the heap still held when it was collected: the generator with its
	// ring, and whatever it had leaked. process is what the process had from the system,
	// with what it takes to measure.
	heap, process int64
}

// measure runs a new generator of the combination.
func (s *series) measure(ctx context.Context, generator func(Combination) (uid.Generator, error), c Combination, load bench.Config) (run, error) {
	g, err := generator(c)
	if err != nil {
		return run{}, err
	}
	load.Generator = g
	load.Goroutines, load.Batch = c.Goroutines, c.Batch
	load.Stream, load.Unordered = c.Path == PathStream, c.Path == PathRelaxed
	r, err := s.load(ctx, load)
	process := processBytes()
	runtime.GC()
	heap := readMetric("/memory/classes/heap/objects:bytes")
	runtime.KeepAlive(g)
	return run{r, heap, process}, err
}

// load is bench.Run with the progress of the whole series. A run may be too short to
// tell of any, so its end is told of too.
func (s *series) load(ctx context.Context, c bench.Config) (bench.Report, error) {
	if s.progress == nil {
		return bench.Run(ctx, c)
	}
	c.Progress = func(p bench.Progress) { s.progress(s.overall(p)) }
	r, err := bench.Run(ctx, c)
	if err == nil {
		ahead := time.Duration(r.AheadSeconds * float64(time.Second))
		s.progress(s.overall(bench.Progress{IDs: r.IDs, Rate: r.IDsPerSecond, Ahead: ahead, Part: 1}))
	}
	return r, err
}

// overall turns the progress of a run into that of the series.
func (s *series) overall(p bench.Progress) bench.Progress {
	p.Part = min((float64(s.done)+p.Part*float64(s.cost))/float64(s.todo), 1)
	p.Left = 0
	if p.Part > 0 {
		p.Left = time.Duration(float64(time.Since(s.started)) * (1 - p.Part) / p.Part)
	}
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

// turns is the order of n tasks in a round, counted from 0. The first round goes
// through them as they are, the second one backwards, and so on such that each task
// follows each other one equally often in 2n rounds (in n rounds, if n is even):
// what one leaves, such as caches or heat, does not always affect the same one.
//
// These are the squares of E. J. Williams, "Experimental designs balanced for the
// estimation of residual effects of treatments" (1949), with the tasks renamed so
// that the first round is in their order.
func turns(n, round int) []int {
	zigzag := make([]int, n) // 0, 1, n-1, 2, n-2, ...
	name := make([]int, n)   // its inverse
	for i := range n {
		zigzag[i] = (i + 1) / 2
		if i%2 == 0 && i > 0 {
			zigzag[i] = n - i/2
		}
		name[zigzag[i]] = i
	}
	order := make([]int, n)
	for i, z := range zigzag {
		order[i] = name[(z+round/2)%n]
	}
	if round%2 == 1 {
		slices.Reverse(order)
	}
	return order
}

// median is the run of the median ratio, the slower of two in the middle, and the lowest
// and the highest ratio of all.
func (t *task) median() (median run, lowest, highest float64) {
	runs := slices.SortedStableFunc(slices.Values(t.runs), func(a, b run) int { return cmp.Compare(a.Ratio, b.Ratio) })
	return runs[len(runs)/2], runs[0].Ratio, runs[len(runs)-1].Ratio
}
