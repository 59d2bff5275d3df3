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
	"github.com/ringuid/ringuid/worker/store"
)

const quorum = 2

// watched is a primary, a replica in step, and three sentinels who agree on both.
// The replica logs in as a user of its own, so that the primary can turn it away:
// sentinels want to see the primary's own address in it.
func watched(t *testing.T) (primary, replica *testserver.Server, sentinels []string) {
	server := func(args ...string) *testserver.Server {
		args = append(args, "--repl-diskless-sync-delay", "0", "--masteruser", "replica", "--masterauth", "sesame")
		s := testserver.Redis(t, testserver.Durable(), testserver.Args(args...))
		t.Cleanup(s.Kill)
		return s
	}
	primary = server()
	command(t, primary, "ACL", "SETUSER", "replica", "on", ">sesame", "+psync", "+replconf", "+ping")
	host, port, err := net.SplitHostPort(primary.Addr())
	require.NoError(t, err)
	replica = server("--replicaof", host+" "+port)
	inStep(t, primary)
	for range 3 {
		s := testserver.RedisSentinel(t, "primary", primary.Addr(), quorum,
			"down-after-milliseconds 500", "failover-timeout 5000")
		sentinels = append(sentinels, s.Addr())
	}
	for _, addr := range sentinels {
		s := redis.NewSentinelClient(&redis.Options{Addr: addr})
		t.Cleanup(func() { s.Close() })
		require.Eventually(t, func() bool {
			m, err := s.Master(t.Context(), "primary").Result()
			return err == nil && m["num-slaves"] == "1" && m["num-other-sentinels"] == "2"
		}, time.Minute, 20*time.Millisecond, "sentinels know each other")
	}
	return primary, replica, sentinels
}

func command(t *testing.T, s *testserver.Server, args ...any) {
	t.Helper()
	require.NoError(t, open(t, s.Addr()).Do(t.Context(), args...).Err(), fmt.Sprint(args...))
}

// Sentinels promote the replica by themselves, and tell the clients.
func TestSentinelsFailOverAndLoseGrants(t *testing.T) {
	primary, replica, sentinels := watched(t)
	twice := failover.Lossy(t, failover.Pair{
		Open: func() store.Store {
			client := redis.NewFailoverClient(&redis.FailoverOptions{MasterName: "primary", SentinelAddrs: sentinels})
			t.Cleanup(func() { client.Close() })
			// Nobody asked for min-replicas-to-write: the primary goes on alone.
			return New(client, Options{AssertDurable: true})
		},
		Replica: New(open(t, replica.Addr()), Options{}),
		Hold: func() {
			inStep(t, primary)
			command(t, primary, "ACL", "SETUSER", "replica", "off")
			command(t, primary, "CLIENT", "KILL", "TYPE", "replica")
		},
		Promote: primary.Kill,
		Turn:    func() {}, // the sentinels do
	})
	assert.Empty(t, twice)
}
