package bench

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrivals are the first n calls that are due in all schedules of a config.
func arrivals(c Config, n int) (all []time.Duration) {
	for i := range c.Goroutines {
		s := newSchedule(c, i)
		for range n / c.Goroutines {
			all = append(all, s.due())
			s.advance()
		}
	}
	slices.Sort(all)
	return all
}

func TestConstantCallsOfAllLoadersComeAtEqualIntervals(t *testing.T) {
	for i, due := range arrivals(Config{Rate: 1e6, Goroutines: 4}, 1000) {
		assert.InDelta(t, 1000*i, due, 1)
	}
}

// A call that is due in more than 292 years, which a Duration does not hold, is never made.
func TestCallsThatAreNeverDue(t *testing.T) {
	for _, poisson := range []bool{false, true} {
		for _, rate := range []float64{1e-9, 1e-10, 1e-300, math.SmallestNonzeroFloat64} {
			s := newSchedule(Config{Rate: rate, Goroutines: 2, Poisson: poisson}, 1)
			for range 3 {
				s.skip(1000)
				assert.Greater(t, s.due(), 100*365*24*time.Hour, "%v", rate)
			}
		}
	}
}

// The intervals of a Poisson process are exponential: their standard deviation is
// their mean, and a part of 1/e of them is longer than it.
func TestPoissonCallsOfAllLoadersAreOneProcess(t *testing.T) {
	const n = 100_000
	all := arrivals(Config{Rate: 1e6, Goroutines: 4, Poisson: true}, n)
	var sum, squares, longer float64
	for i := 1; i < n/2; i++ { // of the later ones some loaders' are missing
		x := float64(all[i] - all[i-1])
		sum, squares = sum+x, squares+x*x
		if x > 1000 {
			longer++
		}
	}
	mean := sum / (n / 2)
	assert.InEpsilon(t, 1000, mean, 0.02)
	assert.InEpsilon(t, 1000, math.Sqrt(squares/(n/2)-mean*mean), 0.02)
	assert.InEpsilon(t, 1/math.E, longer/(n/2), 0.02)
}

func TestPoissonCallsAreTheSameInEachRun(t *testing.T) {
	c := Config{Rate: 1e6, Goroutines: 2, Poisson: true}
	assert.Equal(t, arrivals(c, 1000), arrivals(c, 1000))
}

// A generator that needs half of the time between two calls, on average, lets
// nobody wait when calls come at constant intervals. At random ones there are
// queues: in an M/D/1 queue of half a load, a call waits for half of its service
// on average, and the fewest are done at once.
func TestPoissonArrivalsQueueUpWhereConstantOnesDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config{
			Generator: paced(time.Millisecond), Goroutines: 1, Rate: 500, Duration: 20 * time.Second,
		}
		even, err := open(t, c)
		require.NoError(t, err)
		c.Generator, c.Poisson = paced(time.Millisecond), true
		random, err := open(t, c)
		require.NoError(t, err)

		assert.Equal(t, "constant", even.Arrivals)
		assert.Equal(t, "poisson", random.Arrivals)
		assert.InEpsilon(t, 1e6, even.Latency["p99"], 0.02)
		assert.Greater(t, random.Latency["p90"], int64(2e6))
		assert.InEpsilon(t, 10_000, random.IDs, 0.05)
	})
}
