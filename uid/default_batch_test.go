package uid

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// What a batch adds beyond that is lost, and of the next tick if that has begun meanwhile.
func TestABatchTakesNoMoreThanItGets(t *testing.T) {
	trustingInBubble(t, worker.Static(3), func(t *testing.T, g *DefaultGenerator, _ *time.Duration) {
		take(t, g, 10)
		cur := g.seq.cur.Load()
		first, n, ok := cur.claimUpTo(g.mono(), maxBatch)
		assert.True(t, ok)
		assert.EqualValues(t, 6, n)
		assert.Equal(t, small(24*3600, 10), cur.id(first))
		assert.Equal(t, cur.last.Load()+1, cur.next.Load(), "and adds no more to what it counts by")
		_, _, ok = cur.claimUpTo(g.mono(), maxBatch)
		assert.False(t, ok)
		assert.Equal(t, cur.last.Load()+1, cur.next.Load())
		assert.EqualValues(t, 16, g.Stats().Taken)
	})
}

func TestABatchThatFailsKeepsWhatItGot(t *testing.T) {
	c := testConfig()
	c.TickFull, c.Now = policy.FailNow, time.Now // without segments
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		ids, err := g.AppendUIDs(take(t, g, 10), 20)
		assert.ErrorIs(t, err, ErrTickFull)
		assert.Len(t, ids, 16)

		time.Sleep(time.Second)
		ids, err = g.AppendUIDs(nil, 0)
		require.NoError(t, err)
		assert.Empty(t, ids)
		for _, n := range []int{-1, maxBatch + 1, math.MaxInt} {
			_, err = g.AppendUIDs(nil, n)
			assert.ErrorIs(t, err, ErrRange)
		}
		_, err = g.AppendUIDsContext(over(), nil, 1)
		assert.ErrorIs(t, err, context.Canceled)
		assert.EqualValues(t, 16, g.Stats().Taken)

		require.NoError(t, g.Close())
		ids, err = g.AppendUIDs(nil, 3)
		assert.ErrorIs(t, err, ErrClosed)
		assert.Empty(t, ids)
	})
}

func TestDefaultAllocatesNothing(t *testing.T) {
	c := liveClock(testConfig())
	c.Layout.TimeBits, c.Layout.SeqBits = 35, 20
	for name, longest := range map[string]time.Duration{"segments": maxSegment,
		"segments of a nanosecond": 1, "no segments": 0} {
		g := trusting(t, worker.Static(1), c, longest)
		defer g.Close()
		ids := make([]ID, 0, 100)
		assert.Zero(t, testing.AllocsPerRun(1000, func() {
			_, err := g.GetUID()
			require.NoError(t, err)
			_, err = g.GetUIDFor(t.Context(), "a")
			require.NoError(t, err)
			_, err = g.AppendUIDs(ids, 100)
			require.NoError(t, err)
		}), name)
	}
}
