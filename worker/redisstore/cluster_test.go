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
	require.Eventually(t, func() bool {
		return strings.Contains(node.ClusterInfo(t.Context()).Val(), "cluster_state:ok")
	}, time.Minute, 10*time.Millisecond)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{server.Addr()}})
	t.Cleanup(func() { client.Close() })
	return newRows(client, Options{})
}

func TestCluster(t *testing.T) {
	t.Parallel()
	s := cluster(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.client) },
		storetest.Options{})
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
