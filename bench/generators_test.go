package bench

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func quiet(c uid.Config) uid.Config {
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
			g, err := uid.NewCached(t.Context(), worker.Static(5), quiet(uid.Config{}))
			require.NoError(t, err)
			c.Generator, c.Count, c.Verify = g, 300_000, true
			r, err := Run(t.Context(), c)
			require.NoError(t, err)
			assert.EqualValues(t, 300_000, r.IDs)
			assert.EqualValues(t, 5, r.WorkerID)
			assert.Equal(t, worker.Unfenced, r.Class)
			assert.Zero(t, *r.Duplicates)
			assert.Positive(t, r.AheadSeconds)
			assert.InEpsilon(t, 300_000.0/8192/(1<<28), r.LifeUsed, 0.3, "less what was in the ring before")
		})
	}
}

func TestADefaultGenerator(t *testing.T) {
	c := uid.Config{Layout: uid.DefaultLayout}
	c.Layout.SeqBits, c.Layout.WorkerBits = 25, 10 // more than a second's worth
	g, err := uid.NewDefault(t.Context(), worker.Static(5), quiet(c))
	require.NoError(t, err)
	r, err := Run(t.Context(), Config{Generator: g, Count: 100_000, Goroutines: 2, Verify: true})
	require.NoError(t, err)
	assert.Zero(t, *r.Duplicates)
	assert.Zero(t, *r.OrderViolations)
	assert.NotContains(t, text(t, r), "borrowed")
}

// The layout's time runs out under the load: an error and a report, not a hang.
func TestTheLayoutsTimeRunsOut(t *testing.T) {
	// 365 days of 2 ids each are left, whenever this is run.
	l := uid.Layout{Unit: 24 * time.Hour, TimeBits: 10, WorkerBits: 10, SeqBits: 1}
	l.Epoch = time.Now().AddDate(0, 0, 365-1024)
	g, err := uid.NewCached(t.Context(), worker.Static(5), quiet(uid.Config{Layout: l, MaxLag: -1}))
	require.NoError(t, err)
	r, err := Run(t.Context(), Config{Generator: g, Count: 1 << 30, Goroutines: 2, Verify: true})
	require.ErrorIs(t, err, ErrTakes)
	require.ErrorIs(t, err, uid.ErrTimeOver)
	assert.InDelta(t, 2*365, r.IDs, 4)
	assert.Positive(t, r.Errors)
	assert.Zero(t, *r.Duplicates)
}
