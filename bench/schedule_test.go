package bench

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCallsOfAllLoadersComeAtEqualIntervals(t *testing.T) {
	var all []time.Duration
	for _, l := range newRun(Config{Generator: &fake{}, Rate: 1e6, Goroutines: 4}).loaders {
		for range 250 {
			all = append(all, l.due())
			l.skip(1)
		}
	}
	slices.Sort(all)
	for i, due := range all {
		assert.InDelta(t, 1000*i, due, 1)
	}
}

// A call that is due in more than 292 years, which a Duration does not hold, is never made.
func TestCallsThatAreNeverDue(t *testing.T) {
	for _, rate := range []float64{1e-9, 1e-300, math.SmallestNonzeroFloat64} {
		l := newRun(Config{Generator: &fake{}, Rate: rate, Goroutines: 2}).loaders[1]
		l.skip(1000)
		assert.Greater(t, l.due(), 100*365*24*time.Hour, "%v", rate)
	}
}
