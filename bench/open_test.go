package bench

import (
	"context"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// sleep is an await for synctest, whose clock stands still while anything spins.
func (r *run) sleep(segment context.Context, due time.Duration) bool {
	select {
	case <-time.After(due - r.clock.now()):
		return true
	case <-segment.Done():
		return false
	}
}

// open runs an open loop on a fake clock.
func open(t *testing.T, c Config) (Report, error) {
	r := newRun(must(c.withDefaults()))
	r.await = r.sleep
	return r.do(t.Context())
}

func TestAnOpenLoopKeepsItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := open(t, Config{
			Generator: paced(time.Microsecond), Goroutines: 3, Rate: 1000, Duration: 10 * time.Second,
		})
		require.NoError(t, err)
		assert.InDelta(t, 10_000, r.IDs, 10)
		assert.EqualValues(t, r.IDs, r.LatencySamples, "every call is timed")
		assert.InEpsilon(t, 1000, r.Latency["max"], 0.02)
		assert.Zero(t, r.NeverRan)
	})
}

// A generator that stalls for a second makes all the calls late that were due in
// that second, not just one.
func TestLatencyCountsFromTheIntendedStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stall := faulty(func(_ context.Context, n int64) (uid.ID, error) {
			if n == 2000 {
				time.Sleep(time.Second)
			}
			return uid.ID(n), nil
		})
		r, err := open(t, Config{Generator: stall, Goroutines: 1, Rate: 1000, Duration: 10 * time.Second})
		require.NoError(t, err)
		assert.InDelta(t, 10_000, r.IDs, 2)
		// A tenth of the calls waited, evenly spread from 0 to 1 s.
		assert.Less(t, r.Latency["p50"], int64(time.Millisecond))
		assert.InEpsilon(t, 9e8, r.Latency["p99"], 0.05)
		assert.InEpsilon(t, 1e9, r.Latency["max"], 0.02)
	})
}

// A generator that stalls until the end makes those wait that were due until then.
func TestCallsWithoutAnAnswerCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := faulty(func(ctx context.Context, n int64) (uid.ID, error) {
			if n > 4000 {
				<-ctx.Done()
				return 0, context.Cause(ctx)
			}
			return uid.ID(n), nil
		})
		r, err := open(t, Config{
			Generator: stuck, Goroutines: 2, Rate: 1000, Duration: 10 * time.Second,
		})
		require.NoError(t, err)
		assert.EqualValues(t, 4000, r.IDs)
		assert.EqualValues(t, 10_000, r.LatencySamples)
		assert.EqualValues(t, 6000, r.NeverRan)
		// Six tenths of the calls waited, evenly spread from 0 to 6 s.
		assert.InEpsilon(t, 1e9, r.Latency["p50"], 0.05)
		assert.InEpsilon(t, 5e9, r.Latency["p90"], 0.05)
		assert.InEpsilon(t, 6e9, r.Latency["max"], 0.05)
	})
}

func TestCallsThatWereDueAfterTheEndDoNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := faulty(func(_ context.Context, n int64) (uid.ID, error) {
			if n == 50 {
				time.Sleep(20 * time.Second) // and heeds no end
			}
			return uid.ID(n), nil
		})
		r, err := open(t, Config{Generator: late, Goroutines: 1, Rate: 10, Duration: 10 * time.Second})
		require.NoError(t, err)
		assert.EqualValues(t, 100, r.LatencySamples)
	})
}

func TestAHugeBacklogIsCountedInLittleTime(t *testing.T) {
	c := must(Config{
		Generator: &fake{}, Goroutines: 2, Rate: 1e9, Duration: 100 * time.Second,
	}.withDefaults())
	l := newRun(c).loaders[0]
	assert.Equal(t, l.countOverdue(c.Duration), l.calls.TotalCount())
	assert.InEpsilon(t, 50e9, l.calls.TotalCount(), 0.01)
	assert.InEpsilon(t, 50e9, l.calls.ValueAtQuantile(50), 0.02)
}

func TestACountThatWasReachedLeavesNoCallOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := open(t, Config{
			Generator: paced(2 * time.Millisecond), Goroutines: 2, Rate: 2000, Count: 1000,
		})
		require.NoError(t, err)
		assert.EqualValues(t, 1000, r.LatencySamples)
		assert.Zero(t, r.NeverRan)
	})
}

func TestSpinWaitsUntilItIsDue(t *testing.T) {
	r := newRun(must(Config{Generator: &fake{}, Goroutines: 1}.withDefaults()))
	for _, wait := range []time.Duration{-time.Second, 0, 100 * time.Microsecond, 2 * sleepAbove} {
		due := r.clock.now() + wait
		require.True(t, r.spin(t.Context(), due))
		assert.GreaterOrEqual(t, r.clock.now(), due)
	}
	r.over.Store(true)
	assert.False(t, r.spin(t.Context(), r.clock.now()+time.Hour), "the segment is over")
}

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

// sampled runs an open loop of a thousand ids a second, with samples.
func sampled(t *testing.T, d time.Duration) Report {
	r, err := open(t, Config{
		Generator: paced(time.Microsecond), Goroutines: 1, Rate: 1000, Duration: d, Detail: true,
	})
	require.NoError(t, err)
	return r
}

func TestALongRunHasFewSamplesAllOverIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := sampled(t, time.Minute)
		require.Less(t, len(r.Samples), mostSamples)
		require.Greater(t, len(r.Samples), mostSamples/3)
		step, last := 60/float64(len(r.Samples)), 0.0
		for _, s := range r.Samples {
			assert.InDelta(t, step, s.Seconds-last, step/4)
			assert.InEpsilon(t, 1000, s.IDsPerSecond, 0.1)
			last = s.Seconds
		}
		assert.InDelta(t, 60, last, step)
		assert.InEpsilon(t, r.IDs, r.Samples[len(r.Samples)-1].ids, 0.02)
	})
}

func TestARunOfAMomentHasASample(t *testing.T) {
	r, err := Run(t.Context(), Config{Generator: &fake{}, Goroutines: 1, Count: 1, Detail: true})
	require.NoError(t, err)
	require.Len(t, r.Samples, 1)
	assert.EqualValues(t, 1, r.Samples[0].ids)
	assert.Equal(t, r.Seconds, r.Samples[0].Seconds)
}
