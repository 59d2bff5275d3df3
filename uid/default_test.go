package uid

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// defaultInBubble runs a test with a default generator under a fake clock.
func defaultInBubble(t *testing.T, a worker.Assigner, c settings,
	test func(t *testing.T, g *DefaultGenerator)) {
	synctest.Test(t, func(t *testing.T) {
		g, err := newDefault(t.Context(), a, c)
		require.NoError(t, err)
		defer g.Close()
		test(t, g)
	})
}

func TestAClockSetBackIsRefusedAndSaysByHowMuch(t *testing.T) {
	var offset time.Duration
	c := testConfig()
	c.Now = func() time.Time { return time.Now().Add(offset) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		before := take(t, g, 1)
		offset = -5 * time.Hour
		_, err := g.GetUID()
		require.ErrorIs(t, err, ErrClockBack)
		assert.ErrorContains(t, err, "about 5h0m0s")
		assert.EqualValues(t, 1, g.Stats().Rejected)
		offset = 0
		assert.Equal(t, before[0]+1, take(t, g, 1)[0], "goes on where it was")
	})
}

func TestAClockBeforeTheEpochGivesNoId(t *testing.T) {
	var offset time.Duration
	c := testConfig()
	c.Now = func() time.Time { return time.Now().Add(offset) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		offset = -48 * time.Hour
		id, err := g.GetUID()
		assert.ErrorIs(t, err, ErrClockBack)
		assert.Zero(t, id)
	})
}

// A take waits for a tick by the wall clock, which may be set meanwhile.
func TestAWaitForATickSeesThatTheClockWasSet(t *testing.T) {
	var ahead atomic.Int64
	c := testConfig()
	c.Layout.Unit, c.Layout.SeqBits = time.Hour, 1
	c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 2)
		_, err := g.GetUID()
		require.ErrorIs(t, err, ErrTickFull)
		assert.Zero(t, time.Since(bubbleStart), "without a context nothing would come of waiting")
		time.AfterFunc(time.Minute, func() { ahead.Store(int64(time.Hour)) })
		_, err = g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(bubbleStart), time.Minute+time.Second)
	})
}
