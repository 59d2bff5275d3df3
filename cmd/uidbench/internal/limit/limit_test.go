package limit

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/bench"
)

func TestLimits(t *testing.T) {
	r := bench.Report{
		IDsPerSecond: 50e6, Ratio: 1.3, LatencySamples: 1000,
		Latency: bench.Latency{P50: 50, P90: 90, P99: 200, P999: 1000, P9999: 100_000, Max: 5e6},
	}
	for name, c := range map[string]struct {
		limits Limits
		want   string
	}{
		"no limits":          {Limits{}, ""},
		"all kept":           {Limits{IDsPerSecond: 50e6, Ratio: 1.3, P50: 50, P9999: 100 * time.Microsecond, Max: 5 * time.Millisecond}, ""},
		"too slow":           {Limits{IDsPerSecond: 60e6}, "threshold missed: 50 M/s, want 60 M/s or more"},
		"too slow a ratio":   {Limits{Ratio: 1.2}, "threshold missed: 1.3 times a shared atomic add, want 1.2 or less"},
		"p99.99 too long":    {Limits{P9999: 99 * time.Microsecond}, "threshold missed: p99.99 of the latency is 100 µs, want 99 µs or less"},
		"two, a line each":   {Limits{P50: 1, Max: 1}, "threshold missed: p50 of the latency is 50 ns, want 1 ns or less\nthreshold missed: max of the latency is 5 ms, want 1 ns or less"},
		"p90, p99 and p99.9": {Limits{P90: 89, P99: 199, P999: 999}, "threshold missed: p90 of the latency is 90 ns, want 89 ns or less\nthreshold missed: p99 of the latency is 200 ns, want 199 ns or less\nthreshold missed: p99.9 of the latency is 1 µs, want 999 ns or less"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.limits.Check(r)
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorIs(t, err, ErrMissed)
			assert.EqualError(t, err, c.want)
		})
	}
}

// Latencies are cut to a minute, so whether they keep a longer limit is not known.
func TestALimitAboveWhatIsToldApartIsMissed(t *testing.T) {
	r := bench.Report{Latency: bench.Latency{P50: int64(time.Minute), Max: int64(time.Minute)}, LatencySamples: 1}
	assert.ErrorIs(t, Limits{Max: 2 * time.Minute}.Check(r), ErrMissed)
	r.Latency.P50 = int64(30 * time.Second)
	assert.NoError(t, Limits{P50: 2 * time.Minute}.Check(r))
}

func TestAPercentileOfTooFewCallsIsMissed(t *testing.T) {
	r := bench.Report{Latency: bench.Latency{P50: 50, P90: 60, Max: 70}, LatencySamples: 45}
	assert.NoError(t, Limits{P50: time.Hour, Max: time.Hour}.Check(r))
	assert.EqualError(t, Limits{P99: time.Hour}.Check(r),
		"threshold missed: p99 of the latency is not known from 45 calls: take more ids")
}

func TestALimitOfWhatWasNotMeasuredIsMissed(t *testing.T) {
	for _, l := range []Limits{{IDsPerSecond: 1}, {Ratio: 1}, {P50: 1}, {Max: time.Hour}} {
		assert.True(t, errors.Is(l.Check(bench.Report{}), ErrMissed), "%+v", l)
	}
}
