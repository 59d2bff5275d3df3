package idlog

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestSpreadAgainstASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(
			rapid.Int64Range(-40, 40), rapid.Int64Range(-100_000, 100_000), rapid.Int64Range(-2*farMillis, 2*farMillis),
		), 1, 100).Draw(t, "values")
		var s spread
		for _, v := range values {
			s.add(v)
		}
		slices.Sort(values)
		median := values[(len(values)-1)/2]
		assert.Equal(t, values[0], s.least)
		assert.Equal(t, values[len(values)-1], s.most)
		if -32 < median && median < 32 {
			assert.Equal(t, median, s.median())
		} else {
			assert.InEpsilon(t, float64(median), float64(s.median()), 1./16)
		}
	})
}

func TestTheMedianOfEqualValuesIsRight(t *testing.T) {
	var s spread
	for range 1000 {
		s.add(123_456_789)
	}
	s.add(-5)
	assert.EqualValues(t, 123_456_789, s.median())
}

func TestASpreadOfNothing(t *testing.T) {
	assert.Zero(t, new(spread).median())
}
