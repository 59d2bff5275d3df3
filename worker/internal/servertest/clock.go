package servertest

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// TestClock: a store goes by its server's clock, which is two hours ahead. So nothing is granted,
// and nothing is written, until the clock is corrected.
func TestClock(t *testing.T, server *testserver.Server, open func() store.Store) {
	const ahead = 2 * time.Hour
	start := func(d time.Duration) (worker.Lease, error) {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		defer cancel()
		return worker.Leased(open(), leasetest.Claim()).Assign(ctx, leasetest.Need)
	}
	server.Stop()
	server.Ahead(ahead)
	server.Start()
	_, err := start(10 * time.Second)
	require.ErrorIs(t, err, worker.ErrClock)
	v := leasetest.View(t, open())
	assert.WithinDuration(t, time.Now().Add(ahead), v.Now, time.Minute)
	assert.Empty(t, v.Rows)
	assert.Zero(t, v.Head)
	now, err := open().Now(t.Context())
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now().Add(ahead), now, time.Minute)

	server.Stop()
	server.Ahead(0)
	server.Start()
	leasetest.View(t, open())
	l, err := start(time.Minute)
	require.NoError(t, err)
	require.NoError(t, l.Release(t.Context(), math.MinInt64))
}

// TestTime: a textstore's server tells a time of the present.
func TestTime(t *testing.T, s store.Store) {
	begin := time.Now()
	at, grain, err := s.(*textstore.Store).Server.Time(t.Context())
	require.NoError(t, err)
	assert.WithinRange(t, at, begin.Add(-grain), time.Now())
}
