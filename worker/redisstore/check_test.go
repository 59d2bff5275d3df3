package redisstore

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestCheck(t *testing.T) {
	s := shared(t)
	class, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, store.FencedLossy, class)
}

func TestServersThatForgetAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		say  string
	}{
		"no log": {[]string{"--appendonly", "no"}, `appendonly is "no": set it to yes`},
		"a log that lags": {[]string{"--appendfsync", "everysec"},
			`appendfsync is "everysec": set it to always`},
		"worker ids are evicted": {[]string{"--maxmemory-policy", "allkeys-lru"},
			`maxmemory-policy is "allkeys-lru": set it to noeviction`},
		"a log that rests": {[]string{"--no-appendfsync-on-rewrite", "yes"},
			`no-appendfsync-on-rewrite is "yes": set it to no`},
		"nothing is right at all": {[]string{"--appendonly", "no", "--appendfsync", "no"}, "; "},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := durable(t, testserver.Args(c.args...))
			_, err := s.Check(t.Context())
			require.ErrorIs(t, err, store.ErrStore)
			assert.ErrorContains(t, err, c.say)

			class, err := New(s.client, Options{AssertDurable: true}).Check(t.Context())
			require.NoError(t, err)
			assert.Equal(t, store.FencedLossy, class)
		})
	}
}

func TestTheUserInsists(t *testing.T) {
	s := New(open(t, testserver.Redis(t).Addr()), Options{})
	leasetest.Make(t, s)
	_, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "appendonly")

	c := leasetest.Claim()
	c.AllowUnfenced = true
	lease, err := worker.Leased(s, c).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.Equal(t, store.Unfenced, lease.Class())
	require.NoError(t, lease.Release(t.Context(), 0))
}

func TestForbiddenConfig(t *testing.T) {
	server, s := durable(t)
	must(t, s, "ACL", "SETUSER", "guest", "on", ">sesame", "~{ringuid}:*", "+@all", "-config")
	s.client = redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "guest",
		Password: "sesame"})
	t.Cleanup(func() { s.client.Close() })
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "CONFIG is forbidden")
	assert.ErrorContains(t, err, "AssertDurable")
	assert.NotContains(t, err.Error(), "sesame")

	s.o.AssertDurable = true
	class, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, store.FencedLossy, class)
}

// The least rights that the documentation names are enough.
func TestLeastRights(t *testing.T) {
	server, s := durable(t)
	must(t, s, "ACL", "SETUSER", "uid", "on", ">sesame", "~{ringuid}:*",
		"+eval", "+evalsha", "+time", "+info", "+hget", "+hmget", "+hgetall", "+hset", "+hsetnx",
		"+sismember", "+smembers", "+sadd", "+srem", "+del", "+config|get")
	s.client = redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "uid", Password: "sesame",
		DisableIdentity: true})
	t.Cleanup(func() { s.client.Close() })
	leasetest.Make(t, s)
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.Equal(t, store.FencedLossy, lease.Class())
	require.NoError(t, lease.Release(t.Context(), 0))
	require.NoError(t, s.Delete(t.Context(), leasetest.Pool.Layout))
	require.NoError(t, s.Delete(t.Context(), ""))

	must(t, New(open(t, server.Addr()), Options{}), "ACL", "SETUSER", "uid", "-del")
	err = s.Delete(t.Context(), "")
	require.ErrorContains(t, err, "the user needs +eval")
	assert.ErrorContains(t, err, "+del")
}

func TestRingIsRefused(t *testing.T) {
	ring := redis.NewRing(
		&redis.RingOptions{Addrs: map[string]string{"one": testserver.Redis(t).Addr()}})
	t.Cleanup(func() { ring.Close() })
	_, err := New(ring, Options{}).Check(t.Context())
	require.ErrorIs(t, err, store.ErrStore)
	assert.ErrorContains(t, err, "redis.Client")
}
