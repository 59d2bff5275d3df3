package redisstore

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// cluster is a store on a cluster of one node, which checks all the same that the
// keys of a script lie in one slot.
func cluster(t *testing.T) *rows {
	server := testserver.Redis(t, testserver.Durable(), testserver.Args("--cluster-enabled", "yes"))
	node := open(t, server.Addr())
	require.NoError(t, node.ClusterAddSlotsRange(t.Context(), 0, 16383).Err())
	serves(t, node)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}})
	t.Cleanup(func() { client.Close() })
	return newRows(client, Options{})
}

// serves waits until a node knows of all slots.
func serves(t *testing.T, node *redis.Client) {
	require.Eventually(t, func() bool {
		return strings.Contains(node.ClusterInfo(t.Context()).Val(), "cluster_state:ok")
	}, time.Minute, 10*time.Millisecond)
}

// A cluster refuses a script whose keys lie in several slots. Each call, and a process, runs all
// that it has.
func TestCluster(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	other := store.Pool{Layout: "another", Unit: time.Second}
	leasetest.Make(t, s)
	require.NoError(t, s.Create(t.Context(), other, []int64{0}, leasetest.Nonce()))
	v := leasetest.View(t, s)
	require.Contains(t, v.Others, other)
	w := leasetest.Acquisition(v)
	leasetest.Write(t, s, w)
	for what, call := range leasetest.Calls(t.Context(), s, w) {
		assert.NoError(t, call(), what)
	}
	storetest.Linearizable(t, s, nil)
	assert.NotEmpty(t, leasetest.View(t, s).Others)
	require.NoError(t, s.Delete(t.Context(), ""))
	assert.Empty(t, leasetest.View(t, s).Others)
}

// A node to which a slot comes back has another config epoch, and is another incarnation:
// what comes back may be older than what was granted elsewhere.
func TestSlotThatComesBack(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	leasetest.Make(t, s)
	before := leasetest.View(t, s)
	must(t, s.client, "CLUSTER", "BUMPEPOCH") // as a node does that gets a slot
	after := leasetest.View(t, s)
	assert.Equal(t, before.Epoch, after.Epoch, "nobody raised the floor")
	assert.NotEqual(t, before.Server, after.Server)
}

// A slot that was left as one that moves to another node, as by a tool that was killed, serves
// processes as long as all of it is there. When a key has gone, the error says what to do.
func TestSlotThatNobodyMovesAnyMore(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	leasetest.Write(t, s, w)
	other := testserver.Redis(t, testserver.Durable(), testserver.Args("--cluster-enabled", "yes"))
	c := open(t, other.Addr())
	self := strings.Fields(c.ClusterNodes(t.Context()).Val()) // its id, and HOST:PORT@PORT,...
	at := strings.FieldsFunc(self[1], func(r rune) bool { return strings.ContainsRune(":@,", r) })
	must(t, s.client, "CLUSTER", "MEET", "127.0.0.1", at[len(at)-2], at[len(at)-1])
	serves(t, c)
	slot := c.ClusterKeySlot(t.Context(), s.key("layouts")).Val()
	must(t, s.client, "CLUSTER", "SETSLOT", slot, "MIGRATING", self[0])
	must(t, c, "CLUSTER", "SETSLOT", slot, "IMPORTING", s.client.ClusterMyID(t.Context()).Val())
	for what, call := range leasetest.Calls(t.Context(), s, w) {
		if what != "Delete" && what != "Forget" && what != "Now" { // which need no row
			assert.NoError(t, call(), what)
		}
	}
	must(t, s.client, "MIGRATE", "127.0.0.1", at[len(at)-2], s.key("layouts"), 0, 5000)
	_, err := s.View(t.Context(), w.Pool, 0, 3)
	assert.ErrorContains(t, err, "TRYAGAIN", "%v", at)
	assert.ErrorContains(t, err, "redis-cli --cluster fix")
}
