package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMeasureCountsWhatTheLanesGave(t *testing.T) {
	for _, goroutines := range []int{1, 3} {
		g, given := counting(16)
		r := g.measure(goroutines, time.Millisecond)
		assert.Equal(t, given.Load()-int64(16*goroutines), r.ids, "all but each taker's first chunk")
		assert.Zero(t, r.ids%16, "whole chunks")
		assert.Zero(t, r.errors)
		assert.GreaterOrEqual(t, r.took, time.Millisecond)
	}
}

func TestMeasureCountsErrors(t *testing.T) {
	calls := 0
	g := numbers(shared(func(dst []int64) (int, error) { calls++; return 0, errFake }))
	r := g.measure(1, time.Millisecond)
	assert.Zero(t, r.ids)
	assert.EqualValues(t, calls-1, r.errors, "all but the first chunk")
}

func TestNSIsWallTimePerID(t *testing.T) {
	assert.InDelta(t, 2.5, reading{ids: 400, took: time.Microsecond}.ns(), 1e-9)
}

func TestAllocs(t *testing.T) {
	var kept *int64
	allocating := numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			kept = new(int64)
			dst[i] = *kept
		}
		return len(dst), nil
	}))
	plain, _ := counting(manyIDs)

	n, known := allocating.allocs()
	require.True(t, known)
	assert.InDelta(t, 1, n, 0.1)

	n, known = plain.allocs()
	require.True(t, known)
	assert.Less(t, n, 0.1)

	_, known = listed(nil).allocs()
	assert.False(t, known, "there was no id")
}

func TestRoundsRelateToTheRoundsFloor(t *testing.T) {
	var s samples
	s.ns = append(s.ns, 10)
	s.relate(5)
	s.relate(1) // a round without an id adds nothing
	s.ns = append(s.ns, 30)
	s.relate(10)
	assert.Equal(t, []float64{2, 3}, s.ratio)
	assert.Equal(t, timing{NS: 20, Ratio: 2.5, Low: 2, High: 3}, s.timing())
	assert.Equal(t, timing{}, samples{}.timing())
}

func TestMedian(t *testing.T) {
	assert.Equal(t, 2.0, median([]float64{3, 1, 2}))
	assert.Equal(t, 2.5, median([]float64{4, 1, 3, 2}))
}
