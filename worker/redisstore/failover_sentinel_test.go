package redisstore

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

const quorum = 2

// guarded is a primary, replicas in step, and three sentinels who agree on all of them.
// Each replica logs in as a user of its own, so that the primary can turn it away:
// sentinels want to see the primary's own address in it.
type guarded struct {
	t         *testing.T
	primary   *testserver.Server
	replicas  []*testserver.Server
	sentinels []string
}

func guard(t *testing.T, replicas int) guarded {
	server := func(args ...string) *testserver.Server {
		args = append(args, "--repl-diskless-sync-delay", "0", "--masterauth", "sesame")
		s := testserver.Redis(t, testserver.Durable(), testserver.Args(args...))
		t.Cleanup(s.Kill)
		return s
	}
	g := guarded{t: t, primary: server("--masteruser", user(0))}
	host, port, err := net.SplitHostPort(g.primary.Addr())
	require.NoError(t, err)
	for i := range replicas {
		command(t, g.primary, "ACL", "SETUSER", user(i), "on", ">sesame", "+psync", "+replconf", "+ping")
		g.replicas = append(g.replicas, server("--masteruser", user(i), "--replicaof", host+" "+port))
	}
	inStep(t, g.primary, replicas)
	g.watch()
	return g
}

func user(i int) string { return fmt.Sprint("replica-", i) }

func (g *guarded) watch() {
	for range 3 {
		s := testserver.RedisSentinel(g.t, "primary", g.primary.Addr(), quorum,
			"down-after-milliseconds 500", "failover-timeout 5000")
		g.sentinels = append(g.sentinels, s.Addr())
	}
	for _, addr := range g.sentinels {
		s := redis.NewSentinelClient(&redis.Options{Addr: addr})
		g.t.Cleanup(func() { s.Close() })
		require.Eventually(g.t, func() bool {
			m, err := s.Master(g.t.Context(), "primary").Result()
			return err == nil && m["num-slaves"] == fmt.Sprint(len(g.replicas)) && m["num-other-sentinels"] == "2"
		}, time.Minute, 20*time.Millisecond, "sentinels know each other")
	}
}

// turnAway has the first replica hear nothing any more.
func (g *guarded) turnAway() {
	inStep(g.t, g.primary, len(g.replicas))
	command(g.t, g.primary, "ACL", "SETUSER", user(0), "off")
	command(g.t, g.primary, "CLIENT", "KILL", "USER", user(0))
}

// open is a store that finds the primary through the sentinels.
func (g *guarded) open(o Options) store.Store {
	client := redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "primary", SentinelAddrs: g.sentinels})
	g.t.Cleanup(func() { client.Close() })
	o.AssertDurable = true // nobody asked for min-replicas-to-write: the primary goes on alone
	return New(client, o)
}

func command(t *testing.T, s *testserver.Server, args ...any) {
	t.Helper()
	require.NoError(t, open(t, s.Addr()).Do(t.Context(), args...).Err(), fmt.Sprint(args...))
}

// Sentinels promote the replica by themselves, and tell the clients.
func TestSentinelsFailOverAndLoseGrants(t *testing.T) {
	t.Parallel()
	g := guard(t, 1)
	twice := failover.Lossy(t, failover.Pair{
		Open:    func() store.Store { return g.open(Options{}) },
		Replica: New(open(t, g.replicas[0].Addr()), Options{}),
		Hold:    g.turnAway,
		Promote: g.primary.Kill,
		Turn:    func() {}, // the sentinels do
	})
	assert.Empty(t, twice)
}

// A write that counts when one of two replicas has it is lost all the same, if that one
// is down, too, when the sentinels choose. So the class is FencedLossy: nothing but the
// floor keeps ids from coming twice.
func TestSentinelsPromoteTheReplicaThatLagged(t *testing.T) {
	t.Parallel()
	g := guard(t, 2)
	some := Options{MinReplicas: 1}
	class, err := g.open(some).Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, store.FencedLossy, class)
	some.AssertAllReplicas = true
	_, err = g.open(some).Check(t.Context())
	require.ErrorIs(t, err, store.ErrStore, "one of two is not all")
	some.AssertAllReplicas = false

	leasetest.Make(t, g.open(some))
	g.turnAway()
	before := leasetest.View(t, g.open(some))
	w := leasetest.Acquisition(before)
	applied, err := g.open(some).Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied, "one replica has it, on disk where the server can tell")

	g.replicas[1].Kill()
	g.primary.Kill()
	after := g.open(Options{})
	var v store.View
	require.Eventually(t, func() bool {
		v, err = after.View(t.Context(), "default", 0, 3)
		return err == nil && v.Server != before.Server
	}, time.Minute, 50*time.Millisecond, "the sentinels promote the other replica")
	assert.Equal(t, before.Rows[0].Nonce, v.Rows[0].Nonce, "what was acknowledged is lost")
	assert.NotEqual(t, v.Epoch, v.Server, "and the floor rises before anything is granted")
}
