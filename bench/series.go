package bench

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"
)

// A series is runs of several tasks in rounds. It repeats all of the tasks rather
// than each: if the machine gets slower for a while, no task suffers from it alone.
type series struct {
	costs    []int64 // of a run of each task, in any unit: progress is measured in it
	rounds   int
	progress func(Progress) // of all runs together; nil: nobody asks

	started          time.Time
	todo, done, cost int64 // of all runs, of those that are done, of the present one
}

func newSeries(costs []int64, rounds int, progress func(Progress)) *series {
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
				return fmt.Errorf("bench: interrupted: %w", context.Cause(ctx))
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

// load is Run with the progress of the whole series. A run may be too short to
// tell of any, so its end is told of too.
func (s *series) load(ctx context.Context, c Config) (Report, error) {
	if s.progress == nil {
		return Run(ctx, c)
	}
	c.Progress = func(p Progress) { s.progress(s.overall(p)) }
	r, err := Run(ctx, c)
	if err == nil {
		ahead := time.Duration(r.AheadSeconds * float64(time.Second))
		s.progress(s.overall(Progress{IDs: r.IDs, Rate: r.IDsPerSecond, Ahead: ahead, Part: 1}))
	}
	return r, err
}

// overall turns the progress of a run into that of the series.
func (s *series) overall(p Progress) Progress {
	p.Part = min((float64(s.done)+p.Part*float64(s.cost))/float64(s.todo), 1)
	p.Left = 0
	if p.Part > 0 {
		p.Left = time.Duration(float64(time.Since(s.started)) * (1 - p.Part) / p.Part)
	}
	return p
}

// turns is the order of n tasks in a round, counted from 0. The first round goes
// through them as they are, the second one backwards, and so on such that each task
// follows each other one equally often in 2n rounds (in n rounds, if n is even):
// what one leaves behind, caches or heat, is not always the same one's to suffer.
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

// middle returns the run of the median ratio, the slower of two in the middle, and
// the lowest and the highest ratio of all.
func middle[R any](runs []R, ratio func(R) float64) (median R, lowest, highest float64) {
	runs = slices.SortedStableFunc(slices.Values(runs), func(a, b R) int { return cmp.Compare(ratio(a), ratio(b)) })
	return runs[len(runs)/2], ratio(runs[0]), ratio(runs[len(runs)-1])
}
