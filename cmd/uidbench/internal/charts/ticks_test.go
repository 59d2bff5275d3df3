package charts

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot"

	"github.com/ringuid/ringuid/bench"
)

func labels(ticks plot.ConstantTicks) (all []string) {
	for _, t := range ticks {
		all = append(all, t.Label)
	}
	return all
}

func TestTicksAreRoundAndFew(t *testing.T) {
	for _, top := range []float64{1e-9, 0.0317, 1, 1.1, 1.6, 2, 3.7, 12, 45, 99, 300, 1.8e8, 7e12} {
		ticks := linear(top, number)
		assert.GreaterOrEqual(t, len(ticks), 3, top)
		assert.LessOrEqual(t, len(ticks), fewTicks+2, top)
		assert.Equal(t, "0", ticks[0].Label)
		assert.LessOrEqual(t, ticks[len(ticks)-1].Value, top*1.001)
	}
	assert.Equal(t, []string{"0"}, labels(linear(0, number)), "nothing was measured")
}

func TestTicksOfThingsAreWhole(t *testing.T) {
	assert.Equal(t, []string{"1"}, labels(whole(1)))
	assert.Equal(t, []string{"1", "2", "3"}, labels(whole(3)))
	assert.Equal(t, []string{"2", "4", "6", "8", "10"}, labels(whole(10)))
	assert.Empty(t, whole(0))
}

func TestTicksOfTimeHaveOneUnit(t *testing.T) {
	for top, want := range map[float64][]string{
		5:           {"0 s", "1 s", "2 s", "3 s", "4 s", "5 s"},
		20e-9:       {"0 ns", "5 ns", "10 ns", "15 ns", "20 ns"},
		0.25:        {"0 ms", "50 ms", "100 ms", "150 ms", "200 ms", "250 ms"},
		20_000:      {"0 h", "1 h", "2 h", "3 h", "4 h", "5 h"},
		86400 * 3:   {"0 days", "0.5 days", "1 days", "1.5 days", "2 days", "2.5 days", "3 days"},
		3.2e7 * 100: {"0 years", "20 years", "40 years", "60 years", "80 years", "100 years"},
		1e-12:       {"0 ns", "0.0002 ns", "0.0004 ns", "0.0006 ns", "0.0008 ns", "0.001 ns"},
	} {
		assert.Equal(t, want, labels(spans(top)), top)
	}
}

func TestDecadesIncludeBothEnds(t *testing.T) {
	assert.Equal(t, []string{"10 ns", "100 ns", "1 µs", "10 µs"},
		labels(decades(1e-8, 1e-5, bench.FormatSpan)))
	assert.Equal(t, []string{"0 %", "90 %", "99 %", "99.9 %", "99.99 %"},
		labels(decades(1, 12_345, nines)))
}

func TestHeadroomIsAboveTheLargestValue(t *testing.T) {
	for _, most := range []float64{0, 1e-9, 1, 1e12} {
		assert.Greater(t, headroom(most), most)
		assert.False(t, math.IsInf(headroom(most), 0))
	}
}
