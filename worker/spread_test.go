package worker

import (
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpreadPrefersTheOwnersRowAndLowGrants(t *testing.T) {
	inBubble(t, 64, func(t *testing.T, s *env) {
		start := func(owner string) Lease {
			time.Sleep(time.Second) // starts follow each other
			return assign(t, Leased(s, Claim{Owner: owner, ExistingOnly: true,
				Logger: slog.New(slog.DiscardHandler)}))
		}
		first := start("me")
		mine := first.WorkerID()
		require.NoError(t, first.Release(t.Context(), nowTick())) // it minted
		for range 5 {
			l := start("")
			defer l.Release(t.Context(), math.MinInt64)
			assert.NotEqual(t, mine, l.WorkerID(), "its grant reaches further than the others'")
		}
		again, other := start("me"), start("me")
		defer again.Release(t.Context(), math.MinInt64)
		defer other.Release(t.Context(), math.MinInt64)
		assert.Equal(t, mine, again.WorkerID())
		assert.NotEqual(t, mine, other.WorkerID(), "an owner is a preference, not a claim")
	})
}
