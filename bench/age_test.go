package bench

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestARunReportsTheAgeOfIDs(t *testing.T) {
	g, err := uid.NewDefault(t.Context(), worker.Static(1), uid.DefaultConfig{
		AllowRepeats: true, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	report, err := load(t.Context(), Config{
		Generator: g, Count: 100, Goroutines: 1, Rate: 2_000, Verify: true,
	})
	require.NoError(t, err)
	// The present tick is 0 to 1 s old, and on a busy machine a take may be late.
	assert.Positive(t, report.Age["p50"])
	assert.LessOrEqual(t, report.Age["p50"], report.Age["max"])
}

func TestTheAgeOfIDsFromTheFutureIsInWords(t *testing.T) {
	g, err := uid.NewCached(t.Context(), worker.Static(1), quiet(uid.CachedConfig{}))
	require.NoError(t, err)
	report, err := load(t.Context(), Config{Generator: g, Count: 1_000_000, Goroutines: 1})
	require.NoError(t, err)
	assert.EqualValues(t, fromTheFuture, report.Age["p50"])

	assert.Empty(t, ageText(Report{}))
	assert.Equal(t, "max 2 ms, from the id's time to the call; at p50, p90 it was still to come",
		ageText(Report{Age: map[string]int64{"p50": fromTheFuture, "p90": fromTheFuture,
			"max": 2_000_000}}))
}
