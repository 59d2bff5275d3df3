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
	"github.com/ringuid/ringuid/worker/store"
)

func TestServerDown(t *testing.T) {
	server, s := durable(t)
	made(t, s)
	w := write(view(t, s), true)
	server.Stop()
	for what, call := range calls(t.Context(), s, w) {
		err := call()
		require.Error(t, err, what)
		assert.NotErrorIs(t, err, store.ErrNoNamespace, what)
		assert.NotErrorIs(t, err, store.ErrStore, what)
		assert.ErrorContains(t, err, "no server answers there", what)
	}
	server.Start()
	require.Eventually(t, func() bool { // the client dials again once a second
		_, err := s.View(t.Context(), "default", 0, 3)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
}

// calls are all the ways to ask the server.
func calls(ctx context.Context, s *Store, w store.Write) map[string]func() error {
	return map[string]func() error{
		"Check":      func() error { _, err := s.Check(ctx); return err },
		"View":       func() error { _, err := s.View(ctx, "default", 0, 3); return err },
		"Write":      func() error { _, err := s.Write(ctx, w); return err },
		"Raise":      func() error { _, err := s.Raise(ctx, store.Raise{Namespace: "default"}); return err },
		"Quarantine": func() error { return s.Quarantine(ctx, "default", 1) },
	}
}

func TestWrongPassword(t *testing.T) {
	server := testserver.Redis(t, testserver.Durable(), testserver.Args("--requirepass", "open-sesame"))
	for name, c := range map[string]struct{ password, say string }{
		"wrong": {"close-sesame", "check user and password"},
		"none":  {"", "wants a password"},
	} {
		t.Run(name, func(t *testing.T) {
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), Password: c.password})
			t.Cleanup(func() { client.Close() })
			for what, call := range calls(t.Context(), New(client, Options{}), store.Write{Namespace: "default"}) {
				err := call()
				require.ErrorContains(t, err, c.say, what)
				assert.NotContains(t, err.Error(), "-sesame", what)
				assert.NotErrorIs(t, err, store.ErrStore, what)
			}
		})
	}
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	s := shared(t)
	made(t, s)
	w := write(view(t, s), true)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	behind := s.on(open(t, proxy.Addr()))
	view(t, behind)

	proxy.Hang()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for what, call := range calls(ctx, behind, w) {
		assert.ErrorIs(t, call(), context.DeadlineExceeded, what)
	}
	proxy.Drop() // what waits in it ends with the connection
}

// Nothing that was acknowledged is lost by a server that is killed, and whoever
// goes on goes on behind the floor.
func TestLeaseSurvivesKill(t *testing.T) {
	server, s := durable(t)
	made(t, s)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	_, hi := lease.Grant()
	before := view(t, s)

	server.Kill()
	server.Start()
	after := view(t, s)
	assert.NotEqual(t, before.Server, after.Server)
	require.Eventually(t, func() bool {
		lease.Want(hi + 1)
		lo, _ := lease.Grant()
		return lo > hi
	}, time.Minute, 5*time.Millisecond, "the lease goes on")
	raised := view(t, s)
	lo, _ := lease.Grant()
	assert.Equal(t, after.Server, raised.Epoch)
	assert.Greater(t, raised.Floor, before.Floor)
	assert.GreaterOrEqual(t, lo, raised.Floor)
	assert.NoError(t, lease.Err())
}

// A server whose data are gone serves nobody, and makes nothing by itself.
func TestNamespaceLost(t *testing.T) {
	_, s := durable(t)
	made(t, s)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
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

func TestRowLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	w := write(view(t, s), true)
	must(t, s, "DEL", s.rowKey("default", 0))
	_, err := s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace)
	assert.Len(t, view(t, s).Rows, 3, "the others serve")
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	made(t, s)
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
	must(t, s, "HSET", s.nsKey("default"), "unit", "0")
	_, err := s.View(t.Context(), "default", 0, 3)
	require.ErrorIs(t, err, store.ErrStore)
}

func TestNumbersBeyondDoubles(t *testing.T) {
	s := shared(t)
	made(t, s)
	for _, floor := range []int64{1 << 53, math.MaxInt64, math.MinInt64} {
		assert.ErrorContains(t, s.Quarantine(t.Context(), "default", floor), "9007199254740991")
	}
	w := write(view(t, s), true)
	w.High = math.MaxInt64
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
}

// An Init that was interrupted goes on where it was.
func TestInitGoesOn(t *testing.T) {
	s := shared(t)
	n := made(t, s)
	before := view(t, s)
	must(t, s, "DEL", s.nsKey("default"), s.rowKey("default", 2))
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{}))
	after := view(t, s)
	require.Len(t, after.Rows, 4)
	assert.Equal(t, before.Rows[:2], after.Rows[:2], "rows that were there stay")
	assert.Greater(t, after.Floor, before.Floor, "behind all that was granted on them")
}
