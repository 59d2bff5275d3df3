package integration

import (
	"context"
	"crypto/rand"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// What leasetest's pool is for.
var need, pool = leasetest.Need, leasetest.Pool

// leased makes worker ids 0 to 3, which may be taken at once.
func (e env) leased() sqlstore.Store {
	e.t.Helper()
	leasetest.Make(e.t, e.Store)
	return e.Store
}

// assign waits for a lease on worker id 2.
func assign(t *testing.T, s store.Store) worker.Lease {
	t.Helper()
	a := worker.Leased(s, worker.Claim{
		First: 2, Count: 1, TTL: 300 * time.Millisecond, Slack: 100 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler),
	})
	for deadline := time.Now().Add(time.Minute); ; {
		l, err := a.Assign(t.Context(), need)
		if err == nil {
			t.Cleanup(func() { l.Release(context.Background(), math.MinInt64) })
			return l
		}
		require.ErrorIs(t, err, worker.ErrAllHeld)
		require.True(t, time.Now().Before(deadline), err)
	}
}

// row is worker id 2 as it is, and a good write to it that extends.
func row(t *testing.T, l sqlstore.Store) (store.Row, store.Write) {
	t.Helper()
	v, err := l.View(t.Context(), pool, 2, 2)
	require.NoError(t, err)
	require.Len(t, v.Rows, 1)
	r := v.Rows[0]
	w := store.Write{
		Pool: pool, Epoch: v.Epoch, Floor: v.Floor, Worker: 2,
		Expect: []store.Nonce{r.Nonce}, High: v.TickAt(v.Now), TTL: time.Hour,
		Owner: "the-writer",
	}
	rand.Read(w.Nonce[:])
	return r, w
}

// A connection is cut when the server begins to answer.
func TestLeasesAreLinearizableUnderCuts(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		proxy := testserver.NewProxy(t, e.server.Addr())
		far := e.at(e.server.Addr(), proxy.Addr())
		storetest.Linearizable(t, far.Store, func() { proxy.CutReplyTo(storetest.Owner) })
		assert.NotZero(t, proxy.Cuts())
	})
}

// The incarnation must not flicker, or every lease would wait for a new floor.
func TestIncarnationStaysTheSame(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		l := e.leased()
		was := e.incarnation(t)
		require.NotEmpty(t, was)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for range 250 { // over seconds' ends
			<-tick.C
			v, err := l.View(t.Context(), pool, 0, 0)
			require.NoError(t, err)
			require.Equal(t, was, v.Server)
		}
		assert.Equal(t, was, e.again().incarnation(t), "another session")
	})
}
