package uid

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A take waits for a tick by the wall clock, which may be set meanwhile.
func TestAWaitForATickSeesThatTheClockWasSet(t *testing.T) {
	var ahead atomic.Int64
	c := testConfig()
	c.Layout.Unit, c.Layout.SeqBits = time.Hour, 1
	c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 2)
		time.AfterFunc(time.Minute, func() { ahead.Store(int64(time.Hour)) })
		_, err := g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(bubbleStart), time.Minute+time.Second)
	})
}
