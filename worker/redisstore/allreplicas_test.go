package redisstore

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// confirms says whether the server tells what its replicas have on disk.
func confirms(t *testing.T, c *redis.Client) bool {
	err := c.Do(t.Context(), "WAITAOF", 0, 0, 1).Err()
	if redis.HasErrorPrefix(err, "unknown command") {
		return false
	}
	require.NoError(t, err)
	return true
}

func TestNoOtherCanBePromoted(t *testing.T) {
	t.Parallel()
	_, s := durable(t)
	s.o.AssertAllReplicas = true
	lossy, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.False(t, lossy)

	s = cluster(t)
	s.o.AssertAllReplicas = true
	_, err = s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "in a cluster")
}

func TestAllThatCanBePromoted(t *testing.T) {
	t.Parallel()
	c := coupled(t)
	s := newRows(open(t, c.primary.Addr()), Options{AssertAllReplicas: true})
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "1 replicas are connected, and MinReplicas is 0")

	s.o.MinReplicas = 1
	lossy, err := s.Check(t.Context())
	if !confirms(t, open(t, c.primary.Addr())) {
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "has no WAITAOF")
		return
	}
	require.NoError(t, err)
	assert.False(t, lossy)

	must(t, open(t, c.replica.Addr()), "CONFIG", "SET", "appendonly", "no")
	s.o.WaitTimeout = 50 * time.Millisecond
	n, err := s.View(t.Context(), leasetest.Pool, 0, 3)
	assert.ErrorContains(t, err, "0 of the 1 replicas", "which has it in memory only: %v", n)
}

// asking is a connection that counts how often its client sends something.
type asking struct {
	net.Conn
	n *atomic.Int64
}

func (a asking) Write(b []byte) (int, error) {
	a.n.Add(1)
	return a.Conn.Write(b)
}

// Who has heard how many replicas have it on disk does not ask how many have it at all.
func TestOneWaitIsEnough(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		return asking{c, &n}, err
	}
	c := openWith(t, &redis.Options{Addr: coupled(t).primary.Addr(), Dialer: dial})
	want := int64(4) // HELLO, EVALSHA, CONFIG GET, WAITAOF
	if !confirms(t, c) {
		want = 5 // and WAIT
	}
	s := newRows(c, Options{MinReplicas: 1, WaitTimeout: time.Minute})
	leasetest.Make(t, s)
	s.checked.Store(true)
	n.Store(0)
	_, err := s.View(t.Context(), leasetest.Pool, 0, 3)
	require.NoError(t, err)
	assert.Equal(t, want, n.Load())
}
