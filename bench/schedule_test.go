package bench

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCallsOfAllLoadersComeAtEqualIntervals(t *testing.T) {
	c := Config{Rate: 1e6, Goroutines: 4}
	var all []time.Duration
	for i := range c.Goroutines {
		s := newSchedule(c, i)
		for range 250 {
			all = append(all, s.due())
			s.skip(1)
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
		s := newSchedule(Config{Rate: rate, Goroutines: 2}, 1)
		s.skip(1000)
		assert.Greater(t, s.due(), 100*365*24*time.Hour, "%v", rate)
	}
}
