package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestLimits(t *testing.T) {
	r := bench.Report{
		IDsPerSecond: 5e7, Ratio: 1.5, LatencySamples: 5000,
		Latency: bench.Latency{"p50": 40, "p99": 1000, "max": int64(time.Minute)},
	}
	for typed, found := range map[string]string{
		"ids_per_second<50M": "",
		"ids_per_second<51M": "it was 50 M/s",
		"ratio>1.5":          "",
		"ratio>1.4":          "it was 1.5",
		"p50>40ns":           "",
		"p99>999ns":          "it was 1 µs",
		"p99.9>1h":           "that is not known from 5,000 calls: take more ids",
		"max>59s":            "it was 60 s",
	} {
		var l limits
		require.NoError(t, l.Set(typed))
		err := l.check(r)
		if found == "" {
			assert.NoError(t, err, typed)
			continue
		}
		assert.ErrorIs(t, err, errMissed)
		assert.EqualError(t, err, "threshold missed: "+typed+": "+found)
		assert.Equal(t, exitThreshold, exitCode(t.Context(), err))
	}
	var l limits
	require.NoError(t, l.Set("ratio>9, p50>1s"))
	require.NoError(t, l.Set("max>2s"))
	assert.Equal(t, "ratio>9,p50>1s,max>2s", l.String())
}
