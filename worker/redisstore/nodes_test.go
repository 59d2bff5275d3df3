package redisstore

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

// nodes are a cluster: three primaries, of which the first has the slot of all keys, and a
// replica of that one.
type nodes struct {
	t       *testing.T
	all     []*testserver.Server
	replica *testserver.Server
}

// slot is that of the keys of a store with the default prefix.
const slot = 923

func startNodes(t *testing.T) nodes {
	n := nodes{t: t}
	for range 4 {
		s := testserver.Redis(t, testserver.Durable(), testserver.Args("--cluster-enabled", "yes",
			"--cluster-node-timeout", "1000", "--cluster-allow-replica-migration", "no", "--repl-diskless-sync-delay", "0", "--masteruser", user(0), "--masterauth", "sesame",
			"--user", user(0), "on", ">sesame", "~*", "&*", "+@all"))
		t.Cleanup(s.Kill)
		n.all = append(n.all, s)
	}
	n.replica = n.all[3]
	require.Equal(t, int64(slot), open(t, n.all[0].Addr()).ClusterKeySlot(t.Context(), New(nil, Options{}).nsKey("")).Val())
	for i, owned := range [][2]int{{2, 16383}, {0, 0}, {1, 1}} { // a primary without a slot has no vote
		command(t, n.all[i], "CLUSTER", "ADDSLOTSRANGE", owned[0], owned[1])
		command(t, n.all[i], "CLUSTER", "SET-CONFIG-EPOCH", i+1)
	}
	for _, s := range n.all[1:] {
		host, port, err := net.SplitHostPort(s.Addr())
		require.NoError(t, err)
		_, bus, err := net.SplitHostPort(s.PeerAddr())
		require.NoError(t, err)
		command(t, n.all[0], "CLUSTER", "MEET", host, port, bus)
	}
	n.until("all know all", func(c *redis.Client) bool {
		text := c.ClusterNodes(t.Context()).Val()
		return strings.Count(text, "\n") == len(n.all) && !strings.Contains(text, "handshake")
	})
	command(t, n.replica, "CLUSTER", "REPLICATE", n.id(n.all[0]))
	n.until("all slots are served", func(c *redis.Client) bool {
		return field(c.ClusterInfo(t.Context()).Val(), "cluster_state") == "ok" &&
			strings.Contains(c.ClusterNodes(t.Context()).Val(), "slave "+n.id(n.all[0]))
	})
	inStep(t, n.all[0], 1)
	return n
}

// until waits until something holds for all nodes that run.
func (n nodes) until(what string, holds func(*redis.Client) bool) {
	n.t.Helper()
	for _, s := range n.all {
		if s.Ping() != nil {
			continue
		}
		c := open(n.t, s.Addr())
		require.Eventually(n.t, func() bool { return holds(c) }, time.Minute, 20*time.Millisecond, what)
	}
}

func (n nodes) id(s *testserver.Server) string {
	id, err := open(n.t, s.Addr()).Do(n.t.Context(), "CLUSTER", "MYID").Text()
	require.NoError(n.t, err)
	return id
}

func (n nodes) open(o Options) store.Store {
	var addrs []string
	for _, s := range n.all {
		addrs = append(addrs, s.Addr())
	}
	c := redis.NewClusterClient(&redis.ClusterOptions{Addrs: addrs})
	n.t.Cleanup(func() { c.Close() })
	o.AssertDurable = true // nobody asked for min-replicas-to-write: two of the primaries have no replica
	return New(c, o)
}

// view is one as soon as the client finds the slot.
func (n nodes) view(s store.Store) (v store.View) {
	n.t.Helper()
	require.Eventually(n.t, func() (ok bool) {
		var err error
		v, err = s.View(n.t.Context(), "default", 0, 3)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	return v
}

// owner is the node that serves the slot.
func (n nodes) owner() *testserver.Server {
	n.t.Helper()
	for _, s := range n.all {
		text := open(n.t, s.Addr()).ClusterNodes(n.t.Context()).Val()
		for line := range strings.Lines(text) {
			if f := strings.Fields(line); len(f) > 8 && strings.Contains(f[2], "myself") && has(f[8:], slot) {
				return s
			}
		}
	}
	n.t.Fatal("nobody has the slot")
	return nil
}

func has(ranges []string, slot int) bool {
	for _, r := range ranges {
		var from, to int
		if k, _ := fmt.Sscanf(r, "%d-%d", &from, &to); k == 1 {
			to = from
		}
		if from <= slot && slot <= to && !strings.HasPrefix(r, "[") {
			return true
		}
	}
	return false
}

// turnAway has the replica of a primary hear nothing any more.
func (n nodes) turnAway(primary *testserver.Server) {
	n.t.Helper()
	inStep(n.t, primary, 1)
	command(n.t, primary, "ACL", "SETUSER", user(0), "off")
	command(n.t, primary, "CLIENT", "KILL", "USER", user(0))
}

// promote has a node take its primary's place: "", FORCE or TAKEOVER.
func (n nodes) promote(s *testserver.Server, how string) {
	n.t.Helper()
	if how != "TAKEOVER" {
		inStep(n.t, n.owner(), 1) // a replica that has just got its primary may not, or not in time
	}
	args := []any{"CLUSTER", "FAILOVER"}
	if how != "" {
		args = append(args, how)
	}
	command(n.t, s, args...)
	n.agree(s)
}

// agree waits until all nodes know that this one has the slot.
func (n nodes) agree(owner *testserver.Server) {
	n.t.Helper()
	id := n.id(owner)
	n.until("all know the slot's owner", func(c *redis.Client) bool {
		for line := range strings.Lines(c.ClusterNodes(n.t.Context()).Val()) {
			if f := strings.Fields(line); f[0] == id {
				return len(f) > 8 && has(f[8:], slot)
			}
		}
		return false
	})
}

// beginMove has both nodes know that the slot moves. Until endMove each serves the keys
// that it has.
func (n nodes) beginMove(from, to *testserver.Server) {
	n.t.Helper()
	command(n.t, to, "CLUSTER", "SETSLOT", slot, "IMPORTING", n.id(from))
	command(n.t, from, "CLUSTER", "SETSLOT", slot, "MIGRATING", n.id(to))
}

func (n nodes) moveKeys(from, to *testserver.Server, keys ...string) {
	n.t.Helper()
	host, port, err := net.SplitHostPort(to.Addr())
	require.NoError(n.t, err)
	args := []any{"MIGRATE", host, port, "", 0, 5000, "REPLACE", "KEYS"}
	for _, k := range keys {
		args = append(args, k)
	}
	command(n.t, from, args...)
}

// endMove moves what is left.
func (n nodes) endMove(from, to *testserver.Server) {
	n.t.Helper()
	c := open(n.t, from.Addr())
	for {
		keys, err := c.ClusterGetKeysInSlot(n.t.Context(), slot, 2).Result()
		require.NoError(n.t, err)
		if len(keys) == 0 {
			break
		}
		n.moveKeys(from, to, keys...)
	}
	for _, s := range []*testserver.Server{to, from} {
		command(n.t, s, "CLUSTER", "SETSLOT", slot, "NODE", n.id(to))
	}
	n.agree(to)
}

// move moves the slot to another node, as redis-cli does: key by key.
func (n nodes) move(to *testserver.Server) {
	n.t.Helper()
	from := n.owner()
	n.beginMove(from, to)
	n.endMove(from, to)
}

// canMoveAtOnce says whether the servers move a slot by themselves, as Valkey 9 does.
func (n nodes) canMoveAtOnce() bool {
	n.t.Helper()
	help, err := open(n.t, n.all[0].Addr()).Do(n.t.Context(), "CLUSTER", "HELP").StringSlice()
	require.NoError(n.t, err)
	return strings.Contains(strings.Join(help, "\n"), "MIGRATESLOTS")
}

func (n nodes) moveAtOnce(to *testserver.Server) {
	n.t.Helper()
	command(n.t, n.owner(), "CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", n.id(to))
	n.agree(to)
}
