package bench

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func quiet(c uid.CachedConfig) uid.CachedConfig {
	c.Logger, c.AllowRepeats = slog.New(slog.DiscardHandler), true
	return c
}

func TestACachedGenerator(t *testing.T) {
	for name, c := range map[string]Config{
		"single":  {Goroutines: 4},
		"batches": {Goroutines: 2, Batch: 1000},
		"streams": {Goroutines: 4, Stream: true},
		"paced":   {Goroutines: 2, Rate: 2e6},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := uid.NewCached(t.Context(), worker.Static(5), quiet(uid.CachedConfig{}))
			require.NoError(t, err)
			c.Generator, c.Count, c.Verify = g, 300_000, true
			r, err := Run(t.Context(), c)
			require.NoError(t, err)
			assert.EqualValues(t, 300_000, r.IDs)
			assert.EqualValues(t, 5, r.WorkerID)
			assert.Equal(t, "Unfenced", r.Class)
			assert.Zero(t, *r.Duplicates)
			assert.Positive(t, r.AheadSeconds)
			assert.InEpsilon(t, 300_000.0/8192/(1<<28), r.LifeUsed, 0.3, "less what was in the ring before")
		})
	}
}
