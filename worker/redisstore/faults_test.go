package redisstore

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestServerDown(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	leasetest.TestServerDown(t, server, s, "no server answers there")
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	leasetest.TestServerHangs(t, proxy, fresh(open(t, proxy.Addr())))
}

func TestWrongPassword(t *testing.T) {
	server := testserver.Redis(t, testserver.Durable(),
		testserver.Args("--requirepass", "open-sesame"))
	for name, c := range map[string]struct{ password, say string }{
		"wrong": {"close-sesame", "check user and password"},
		"none":  {"", "requires a password"},
	} {
		t.Run(name, func(t *testing.T) {
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), Password: c.password})
			t.Cleanup(func() { client.Close() })
			for what, call := range leasetest.Calls(t.Context(), New(client, Options{}),
				store.Write{Namespace: "default", Epoch: "any"}) {
				err := call()
				require.ErrorContains(t, err, c.say, what)
				assert.NotContains(t, err.Error(), "-sesame", what)
				assert.NotErrorIs(t, err, store.ErrStore, what)
			}
		})
	}
}

// Nothing that was acknowledged is lost by a server that is killed, and whoever
// goes on goes on above the floor.
func TestLeaseSurvivesKill(t *testing.T) {
	server, s := durable(t)
	leasetest.Make(t, s)
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	_, hi := lease.Grant()
	before := leasetest.View(t, s)

	server.Kill()
	server.Start()
	after := leasetest.View(t, s)
	assert.NotEqual(t, before.Server, after.Server)
	require.Eventually(t, func() bool {
		lease.Want(hi + 1)
		lo, _ := lease.Grant()
		return lo > hi
	}, time.Minute, 5*time.Millisecond, "the lease goes on")
	raised := leasetest.View(t, s)
	lo, _ := lease.Grant()
	assert.Equal(t, after.Server, raised.Epoch)
	assert.Greater(t, raised.Floor, before.Floor)
	assert.GreaterOrEqual(t, lo, raised.Floor)
	assert.NoError(t, lease.Err())
}

// A server whose data are gone serves nobody, and makes nothing by itself.
func TestNamespaceLost(t *testing.T) {
	_, s := durable(t)
	leasetest.Make(t, s)
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	must(t, s, "FLUSHALL")
	require.Eventually(t, func() bool {
		lease.Want(math.MaxInt64)
		return lease.Err() != nil
	}, time.Minute, 5*time.Millisecond)
	assert.ErrorIs(t, lease.Err(), store.ErrNoNamespace)
	assert.ErrorContains(t, lease.Err(), "lost or evicted")
	keys, err := s.client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	assert.Empty(t, keys)
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	for field, values := range map[string][]string{
		"nonce":   {"", "0123", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef0"},
		"high":    {"", "many", "1e9", "007", "99999999999999999999"},
		"expires": {"tomorrow"},
	} {
		key := s.rowKey("default", 1)
		good, err := s.client.HGet(t.Context(), key, field).Result()
		require.NoError(t, err)
		for _, value := range values {
			must(t, s, "HSET", key, field, value)
			_, err := s.View(t.Context(), "default", 0, 3)
			require.ErrorIs(t, err, store.ErrStore, "%s = %q", field, value)
			assert.ErrorContains(t, err, "worker id 1")
		}
		must(t, s, "HDEL", key, field)
		_, err = s.View(t.Context(), "default", 0, 3)
		assert.ErrorContains(t, err, "missing")
		must(t, s, "HSET", key, field, good)
	}
	w := leasetest.Extension(leasetest.View(t, s))
	must(t, s, "DEL", s.rowKey("default", 0))
	_, err := s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace)

	must(t, s, "HSET", s.nsKey("default"), "unit", "0")
	_, err = s.View(t.Context(), "default", 0, 3)
	require.ErrorIs(t, err, store.ErrStore)
}

func TestNumbersBeyondDoubles(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	for _, floor := range []int64{1 << 53, math.MaxInt64, math.MinInt64} {
		assert.ErrorContains(t, s.Quarantine(t.Context(), "default", floor), "9007199254740991")
	}
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.High = math.MaxInt64
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
}
