package bench

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

func TestWithoutDetailThereIsNone(t *testing.T) {
	r, err := Run(t.Context(), Config{Generator: &fake{}, Goroutines: 1, Count: 100_000})
	require.NoError(t, err)
	assert.Empty(t, r.Samples)
}

func TestARunOfAMomentHasASample(t *testing.T) {
	r, err := Run(t.Context(), Config{Generator: &fake{}, Goroutines: 1, Count: 1, Detail: true})
	require.NoError(t, err)
	require.Len(t, r.Samples, 1)
	assert.EqualValues(t, 1, r.Samples[0].ids)
	assert.Equal(t, r.Seconds, r.Samples[0].Seconds)
}
