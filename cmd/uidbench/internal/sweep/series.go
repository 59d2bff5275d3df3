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

// A series is runs of several tasks in rounds. It repeats all of the tasks rather
// than each: if the machine gets slower for a while, no task suffers from it alone.
type series struct {
	tasks, rounds int
	progress      func(bench.Progress) // of all runs together; nil: nobody asks

	started time.Time
	done    int // runs
}

func newSeries(tasks, rounds int, progress func(bench.Progress)) *series {
	return &series{tasks: tasks, rounds: rounds, progress: progress, started: time.Now()}
}

// do calls run for each task in each round. It ends with the first error, or when
// the context does.
func (s *series) do(ctx context.Context, run func(task int) error) error {
	for round := range s.rounds {
		for _, task := range turns(s.tasks, round) {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: %w", context.Cause(ctx))
			}
			debug.FreeOSMemory() // no run is to inherit from the one before
			if err := run(task); err != nil {
				return err
			}
			s.done++
		}
	}
	return nil
}

// A task is what the runs of one combination have in common.
type task struct {
	Combination
	runs    []bench.Report
	failure error // it is not run again
}

// measure runs a new generator of the combination.
func (s *series) measure(ctx context.Context, generator func(Combination) (uid.Generator, error),
	c Combination, load bench.Config) (bench.Report, error) {
	g, err := generator(c)
	if err != nil {
		return bench.Report{}, err
	}
	load.Generator = g
	load.Goroutines, load.Batch = c.Goroutines, c.Batch
	load.Stream, load.Unordered = c.Path == PathStream, c.Path == PathRelaxed
	return s.load(ctx, load)
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
		s.progress(s.overall(bench.Progress{
			IDs: r.IDs, Rate: r.IDsPerSecond, Ahead: ahead, Part: 1,
		}))
	}
	return r, err
}

// overall turns the progress of a run into that of the series.
func (s *series) overall(p bench.Progress) bench.Progress {
	p.Part = min((float64(s.done)+p.Part)/float64(s.tasks*s.rounds), 1)
	p.Left = 0
	if p.Part > 0 {
		p.Left = time.Duration(float64(time.Since(s.started)) * (1 - p.Part) / p.Part)
	}
	return p
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

// median is the run of the median ratio, the slower of two in the middle, and the lowest
// and the highest ratio of all.
func (t *task) median() (median bench.Report, lowest, highest float64) {
	runs := slices.SortedStableFunc(slices.Values(t.runs),
		func(a, b bench.Report) int { return cmp.Compare(a.Ratio, b.Ratio) })
	return runs[len(runs)/2], runs[0].Ratio, runs[len(runs)-1].Ratio
}
