package sweep

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestEachTaskBeginsAndEndsARound(t *testing.T) {
	const n = 5
	first, last := map[int]bool{}, map[int]bool{}
	for round := range 2 * n {
		order := turns(n, round)
		assert.ElementsMatch(t, []int{0, 1, 2, 3, 4}, order)
		first[order[0]], last[order[n-1]] = true, true
	}
	assert.Len(t, first, n)
	assert.Len(t, last, n)
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
	s := newSeries(3, 3, nil)
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
	s := newSeries(2, 5, nil)
	err := s.do(t.Context(), func(int) error { calls++; return wrong })
	require.ErrorIs(t, err, wrong)
	assert.Equal(t, 1, calls)

	ctx, cancel := context.WithCancelCause(t.Context())
	s = newSeries(2, 5, nil)
	err = s.do(ctx, func(int) error { calls++; cancel(wrong); return nil })
	require.ErrorIs(t, err, wrong)
	assert.Equal(t, 2, calls)
}

func TestTheProgressOfASeriesCountsItsRuns(t *testing.T) {
	s := newSeries(2, 2, nil)
	var parts []float64
	require.NoError(t, s.do(t.Context(), func(int) error {
		parts = append(parts, s.overall(bench.Progress{Part: 0.5}).Part)
		return nil
	}))
	assert.Equal(t, []float64{0.125, 0.375, 0.625, 0.875}, parts)
	assert.Zero(t, s.overall(bench.Progress{Part: 1}).Left, "nothing is left")
}

func TestTheMedianRunIsTheSlowerOfTwo(t *testing.T) {
	of := func(ratios ...float64) []float64 {
		var one task
		for _, ratio := range ratios {
			one.runs = append(one.runs, bench.Report{Ratio: ratio})
		}
		median, lowest, highest := one.median()
		return []float64{median.Ratio, lowest, highest}
	}
	assert.Equal(t, []float64{3, 1, 4}, of(4, 1, 3, 2))
	assert.Equal(t, []float64{7, 7, 7}, of(7))
}
