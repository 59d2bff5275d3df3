package uid_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// docs/guide.md names it. Time passes when all goroutines of the bubble wait, so a new pool's
// first seconds take none.
func TestAServiceInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		layout := uid.SnowflakeLayout()
		layout.Epoch = time.Now() // a bubble's clock begins in 2000
		config := uid.Config{Layout: layout, Logger: slog.New(slog.DiscardHandler)}
		leased := worker.Leased(memstore.New(), worker.Claim{Logger: config.Logger})
		gen, err := uid.New(t.Context(), leased, config)
		require.NoError(t, err)
		defer gen.Close() // a bubble waits for all of its goroutines

		before, err := gen.GetUID()
		require.NoError(t, err)
		time.Sleep(time.Hour)
		after, err := gen.GetUID()
		require.NoError(t, err)
		assert.Greater(t, after, before)
	})
}

func TestAnEpochThatABubbleHasAheadSaysWhatToSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := uid.New(t.Context(), worker.Static(7), uid.Config{})
		require.ErrorIs(t, err, uid.ErrLayout)
		assert.ErrorContains(t, err,
			"in a bubble of testing/synctest set Config.Layout.Epoch to time.Now()")
	})
}
