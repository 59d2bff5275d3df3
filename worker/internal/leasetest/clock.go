package leasetest

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Clocked is a Server that can be started with another clock.
type Clocked interface {
	Server
	Ahead(d time.Duration)
}

// TestClocks runs both tests, each on a server that start returns, with a way to open its store.
func TestClocks(t *testing.T, start func(t *testing.T) (Clocked, func() store.Store)) {
	for name, test := range map[string]func(*testing.T, Clocked, func() store.Store){
		"was ahead": TestClockWasAhead, "jumps": TestClockJumps,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, open := start(t)
			test(t, server, open)
		})
	}
}

// TestClockWasAhead: ids are made by a clock that is two hours ahead, and the clock is corrected.
// What the errors say about that is done, and is enough.
func TestClockWasAhead(t *testing.T, server Clocked, open func() store.Store) {
	clock := func(ahead time.Duration) {
		server.Stop()
		server.Ahead(ahead)
		server.Start()
	}
	claim := Claim()
	start := func(d time.Duration) (worker.Lease, error) {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		defer cancel()
		return worker.Leased(open(), claim).Assign(ctx, Need)
	}
	clock(2 * time.Hour)
	_, err := start(10 * time.Second)
	require.ErrorIs(t, err, worker.ErrClock)
	v, err := open().View(t.Context(), store.Pool{Layout: Pool.Layout, Unit: Pool.Unit}, 0, 3)
	require.NoError(t, err)
	assert.Empty(t, v.Rows, "nothing was written")
	assert.Zero(t, v.Head, "nothing was written")
	_, err = worker.Quarantine(t.Context(), open(), worker.QuarantineOptions{})
	require.ErrorIs(t, err, worker.ErrClock, "it does not know which clock is wrong")

	// A process whose clock is as wrong has a worker id.
	s, created, all := open(), Nonce(), []int64{0, 1, 2, 3}
	require.NoError(t, s.Create(t.Context(), Pool, all, created))
	if r, ok := s.(store.Raiser); ok {
		_, err = r.Raise(t.Context(), Pool, store.Head{}, grants.Ahead(Pool, claim.Slack)+1, claim.Slack)
		require.NoError(t, err)
	}
	now, err := s.Now(t.Context())
	require.NoError(t, err)
	high := grants.Opening(Pool, now, claim.Slack)
	require.NoError(t, s.Open(t.Context(), Pool, all, created,
		store.Row{Nonce: Nonce(), Open: true, High: high, Slack: claim.Slack}))
	w := Acquisition(View(t, s))
	w.TTL = time.Second
	Write(t, s, w)

	clock(0)
	View(t, open())
	_, err = start(time.Second)
	require.ErrorIs(t, err, worker.ErrAllHeld)
	require.ErrorContains(t, err, "a clock was wrong")
	require.ErrorContains(t, err, "worker quarantine")
	before := View(t, open()).Rows
	_, err = worker.Quarantine(t.Context(), open(), worker.QuarantineOptions{})
	require.ErrorIs(t, err, worker.ErrClock)
	assert.ErrorContains(t, err, grants.Start(Pool, high+1).Format(time.RFC3339), "until then")
	assert.ErrorContains(t, err, "--newest")
	newest := worker.QuarantineOptions{Newest: grants.Start(Pool, high)}
	_, err = worker.Quarantine(t.Context(), open(), newest)
	require.ErrorIs(t, err, worker.ErrClock, "the first id would not be later than the newest one")
	assert.ErrorContains(t, err, "do this again at")
	assert.Equal(t, before, View(t, open()).Rows, "nothing was deleted")

	newest.Newest = time.Now() // it stopped before it used what it was granted
	q, err := worker.Quarantine(t.Context(), open(), newest)
	require.NoError(t, err)
	assert.Len(t, q.Pools, 1)
	_, err = worker.Quarantine(t.Context(), open(), worker.QuarantineOptions{})
	require.ErrorIs(t, err, worker.ErrNoRows)
	lease, err := start(time.Minute)
	require.NoError(t, err)
	lo, hi := lease.Grant()
	assert.Greater(t, lo, Pool.TickAt(newest.Newest))
	assert.False(t, grants.Start(Pool, lo).Before(q.Begin), "what it said")
	assert.Less(t, hi, Pool.TickAt(time.Now().Add(2*time.Minute)))
	require.NoError(t, lease.Release(t.Context(), math.MinInt64))
}

// TestClockJumps: the server's clock jumps ahead under live processes, and back. They use up what
// they were granted, say why there is no more, and continue.
func TestClockJumps(t *testing.T, server Clocked, open func() store.Store) {
	h := Start(t, open(), 2)
	one, two := h.Join(open()), h.Join(open())
	h.GoOn("they have worker ids")
	before := View(t, open())
	server.Stop()
	server.Ahead(2 * time.Hour)
	server.Start()
	for _, m := range []*Holder{one, two} {
		Until(t, "the grant ends", func() error {
			if err := m.Ready(); !errors.Is(err, worker.ErrClock) {
				return errors.Join(errors.New("not yet"), err)
			}
			return nil
		})
		assert.ErrorIs(t, m.Ready(), uid.ErrGrantEnded)
		assert.Less(t, m.Last(), Pool.TickAt(time.Now())+2*Pool.Window())
	}
	v := View(t, open())
	assert.Equal(t, before.Head, v.Head, "no floor is written")
	server.Stop()
	server.Ahead(0)
	server.Start()
	h.GoOn("the clock is right again")
	assert.Less(t, View(t, open()).Floor, Pool.TickAt(time.Now())+2*Pool.Window())
	assert.Zero(t, h.Duplicates())
}
