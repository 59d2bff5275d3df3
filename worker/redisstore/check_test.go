package redisstore

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

func TestServersThatForgetAreRefused(t *testing.T) {
	t.Parallel()
	_, s := durable(t)
	for _, c := range []struct{ setting, bad, good string }{
		{"appendonly", "no", "yes"},
		{"appendfsync", "everysec", "always"},
		{"appendfsync", "no", "always"},
		{"maxmemory-policy", "allkeys-lru", "noeviction"},
		{"no-appendfsync-on-rewrite", "yes", "no"},
	} {
		must(t, s.client, "CONFIG", "SET", c.setting, c.bad)
		_, err := s.Check(t.Context())
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, fmt.Sprintf("%s is %q: set it to %s", c.setting, c.bad, c.good))
		must(t, s.client, "CONFIG", "SET", c.setting, c.good)
		_, err = s.Check(t.Context())
		require.NoError(t, err)
	}
	must(t, s.client, "CONFIG", "SET", "appendfsync", "no")
	must(t, s.client, "CONFIG", "SET", "appendonly", "no")
	_, err := s.Check(t.Context())
	assert.ErrorContains(t, err, "; ", "all that is wrong")
}

func TestForbiddenConfig(t *testing.T) {
	server, s := durable(t)
	must(t, s.client, "ACL", "SETUSER", "guest", "on", ">sesame", "~{ringuid}:*", "+@all", "-config")
	s.client = as(t, server.Addr(), "guest", "sesame")
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "CONFIG is forbidden")
	assert.ErrorContains(t, err, "AssertDurable")
	assert.NotContains(t, err.Error(), "sesame")
	leasetest.View(t, s) // for a claim with AllowUnfenced

	s.o.AssertDurable = true
	lossy, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.True(t, lossy)
}

// What INFO shows is needed, whether the server or the user has not got it.
func TestForbiddenInfo(t *testing.T) {
	s := newRows(open(t, testserver.Redis(t, testserver.Durable(),
		testserver.Args("--rename-command", "INFO", "")).Addr()), Options{})
	leasetest.TestFailsAtOnce(t, s, worker.ErrStore, "give the command its name back")

	server, s := durable(t)
	must(t, s.client, "ACL", "SETUSER", "uid", "on", ">sesame", "~{ringuid}:*", "+@all", "-info")
	s.client = as(t, server.Addr(), "uid", "sesame")
	leasetest.TestFailsAtOnce(t, s, worker.ErrDenied, "the user needs +eval +evalsha +time +info")
}

// The least rights that the documentation names are enough.
func TestLeastRights(t *testing.T) {
	server, s := durable(t)
	must(t, s.client, "ACL", "SETUSER", "uid", "on", ">sesame", "~{ringuid}:*",
		"+eval", "+evalsha", "+time", "+info", "+hget", "+hmget", "+hgetall", "+hset", "+hsetnx",
		"+sismember", "+smembers", "+sadd", "+srem", "+del", "+config|get")
	all := s.client
	must(t, all, "CONFIG", "RESETSTAT")
	s.client = openWith(t, &redis.Options{Addr: server.Addr(), Username: "uid", Password: "sesame"})
	leasetest.Make(t, s)
	lease, err := worker.Leased(s, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.Equal(t, worker.FencedLossy, lease.Class())
	require.NoError(t, lease.Release(t.Context(), 0))
	require.NoError(t, s.Delete(t.Context(), leasetest.Pool.Layout))
	require.NoError(t, s.Delete(t.Context(), ""))
	refused, err := all.Info(t.Context(), "errorstats").Result()
	require.NoError(t, err)
	assert.NotContains(t, strings.ReplaceAll(refused, "errorstat_NOSCRIPT", ""), "errorstat_",
		"its connections ask for nothing that is denied or unknown")

	must(t, all, "ACL", "SETUSER", "uid", "-del")
	err = s.Delete(t.Context(), "")
	require.ErrorContains(t, err, "the user needs +eval")
	assert.ErrorContains(t, err, "+del")
}

func TestRingIsRefused(t *testing.T) {
	ring := redis.NewRing(
		&redis.RingOptions{Addrs: map[string]string{"one": testserver.Redis(t).Addr()}})
	t.Cleanup(func() { ring.Close() })
	_, err := newRows(ring, Options{}).Check(t.Context())
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, "redis.Client")
}

func TestInfoWithoutSections(t *testing.T) {
	assert.Equal(t, "master", field("redis_version:7.0.15\r\nrole:master\r\n", "role"))
	assert.Empty(t, field("# Replication\r\nmaster_role:x\r\n", "role"))
}

// Replicas that a cut takes from an old primary count for those that saw them. A backup is none.
func TestHalfOfTheReplicasThatThereWere(t *testing.T) {
	server, s := durable(t)
	s.o.AssertDurable = true
	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "1")
	for i := range 5 {
		c, err := net.Dial("tcp", server.Addr())
		require.NoError(t, err)
		defer c.Close()
		if i < 3 {
			fmt.Fprint(c, "REPLCONF listening-port 1\r\n")
			_, err = c.Read(make([]byte, len("+OK\r\n")))
			require.NoError(t, err)
		}
		fmt.Fprint(c, "SYNC\r\n")
	}
	for _, connected := range []string{"5", "0"} {
		require.Eventually(t, func() bool {
			return field(s.client.Info(t.Context()).Val(), "connected_slaves") == connected
		}, time.Minute, 10*time.Millisecond)
		n, err := s.demanded(t.Context(), s.client)
		require.NoError(t, err)
		assert.EqualValues(t, 2, n)
		must(t, s.client, "CLIENT", "KILL", "TYPE", "replica")
	}
	assert.ErrorContains(t, s.missing(1, 2), "if replicas were removed, start this process anew")
	assert.NotContains(t, s.missing(0, 1).Error(), "anew", "MinReplicas")
}

// Generators may share a store.
func TestHammerOfTheMostThatWasFound(t *testing.T) {
	var most atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for v := range int64(300_000) {
				if got := raise(&most, v); got < v {
					t.Errorf("%d after %d", got, v)
					return
				}
			}
		})
	}
	all.Wait()
}

// A server that has replicas, or will, continues alone for its max-lag and two seconds. Where the
// settings cannot be read, the largest that is accepted counts.
func TestHowLongAServerGrantsAlone(t *testing.T) {
	t.Parallel()
	alone := func(s *rows) time.Duration {
		_, err := s.Check(t.Context())
		require.NoError(t, err)
		s.checked.Store(false) // so that the view asks for no replicas
		return leasetest.View(t, s).Alone
	}
	_, s := durable(t)
	assert.Zero(t, alone(s))
	must(t, s.client, "CONFIG", "SET", "min-replicas-max-lag", "2")
	assert.Zero(t, alone(s), "there is nobody who could take its place")
	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "1")
	assert.Equal(t, 4*time.Second, alone(s))
	untold := newRows(s.client, Options{AssertDurable: true}) // and checked before there was one
	n, err := untold.demanded(t.Context(), s.client)
	require.NoError(t, err)
	assert.EqualValues(t, 1, n)
	assert.EqualValues(t, 5*time.Second, untold.alone.Load())
	must(t, s.client, "CONFIG", "SET", "min-replicas-to-write", "0")
	assert.Equal(t, 4*time.Second, alone(s), "it does not become shorter")
	c := coupled(t)
	for _, o := range []Options{{}, {AssertDurable: true}} {
		assert.Equal(t, 5*time.Second, alone(newRows(open(t, c.primary.Addr()), o)), "%+v", o)
	}
	must(t, open(t, c.primary.Addr()), "CONFIG", "SET", "min-replicas-max-lag", "1")
	assert.Equal(t, 3*time.Second, alone(newRows(open(t, c.primary.Addr()), Options{})))
}
