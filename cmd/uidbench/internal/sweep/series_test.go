package sweep

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestEachTaskFollowsEachOtherOneEquallyOften(t *testing.T) {
	for n := 1; n <= 13; n++ {
		rounds, times := 2*n, 2
		if n%2 == 0 {
			rounds, times = n, 1
		}
		follows := map[[2]int]int{}
		for round := range rounds {
			order := turns(n, round)
			seen := map[int]bool{}
			for i, task := range order {
				seen[task] = true
				if i > 0 {
					follows[[2]int{order[i-1], task}]++
				}
			}
			assert.Len(t, seen, n, "each task once a round")
		}
		assert.Len(t, follows, n*(n-1))
		for pair, got := range follows {
			assert.Equal(t, times, got, "of %d: %v", n, pair)
		}
	}
}

func TestTheFirstRoundGoesForwardsAndTheSecondBackwards(t *testing.T) {
	for n := range 9 {
		for i := range n {
			assert.Equal(t, i, turns(n, 0)[i])
			assert.Equal(t, n-1-i, turns(n, 1)[i])
		}
	}
}

func TestASeriesGoesThroughAllTasksInEachRound(t *testing.T) {
	var got [][]int
	s := newSeries([]int64{1, 1, 1}, 3, nil)
	require.NoError(t, s.do(t.Context(), func(task int) error {
		if len(got) == 0 || len(got[len(got)-1]) == 3 {
			got = append(got, nil)
		}
		got[len(got)-1] = append(got[len(got)-1], task)
		return nil
	}))
	assert.Equal(t, [][]int{{0, 1, 2}, {2, 1, 0}, turns(3, 2)}, got)
}

func TestASeriesEndsAtAnErrorAndWithItsContext(t *testing.T) {
	wrong := errors.New("wrong")
	calls := 0
	s := newSeries([]int64{1, 1}, 5, nil)
	err := s.do(t.Context(), func(int) error { calls++; return wrong })
	require.ErrorIs(t, err, wrong)
	assert.Equal(t, 1, calls)

	ctx, cancel := context.WithCancelCause(t.Context())
	s = newSeries([]int64{1, 1}, 5, nil)
	err = s.do(ctx, func(int) error { calls++; cancel(wrong); return nil })
	require.ErrorIs(t, err, wrong)
	assert.Equal(t, 2, calls)
}

func TestTheProgressOfASeriesCountsWhatRunsCost(t *testing.T) {
	s := newSeries([]int64{1, 3}, 2, nil)
	parts := func() (all []string) {
		for _, part := range []float64{0, 0.5, 1} {
			all = append(all, fmt.Sprintf("%.4g", s.overall(bench.Progress{Part: part}).Part))
		}
		return all
	}
	var got [][]string
	require.NoError(t, s.do(t.Context(), func(int) error {
		got = append(got, parts())
		return nil
	}))
	assert.Equal(t, [][]string{
		{"0", "0.0625", "0.125"}, {"0.125", "0.3125", "0.5"}, // as they are
		{"0.5", "0.6875", "0.875"}, {"0.875", "0.9375", "1"}, // backwards
	}, got)
	assert.Zero(t, s.overall(bench.Progress{Part: 1}).Left, "nothing is left")
}

func TestTheMedianRunIsTheSlowerOfTwo(t *testing.T) {
	of := func(ratios ...float64) []float64 {
		var one task
		for _, ratio := range ratios {
			one.runs = append(one.runs, run{Report: bench.Report{Ratio: ratio}})
		}
		median, lowest, highest := one.median()
		return []float64{median.Ratio, lowest, highest}
	}
	assert.Equal(t, []float64{3, 1, 4}, of(4, 1, 3, 2))
	assert.Equal(t, []float64{7, 7, 7}, of(7))
}
