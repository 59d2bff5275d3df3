package etcdstore

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// ways is a store on a client that knows these ways into a cluster.
func ways(t *testing.T, addrs ...string) store.Store {
	c, err := clientv3.New(clientv3.Config{
		Endpoints: addrs, DialTimeout: time.Minute, Logger: zap.NewNop(),
		DialKeepAliveTime: 10 * time.Second, DialKeepAliveTimeout: time.Second,
	})
	require.NoError(t, err)
	t.Cleanup(func() { closeClient(c) })
	return New(c, Options{})
}

// Each fault lets a transaction that puts a row reach the server, and cuts the connection before
// the answer. Another member is asked next.
func TestLinearizableOverCutConnectionsToThreeMembers(t *testing.T) {
	t.Parallel()
	proxies, behind := cluster.Get(t).Proxies(t)
	s := ways(t, behind...)
	lossy, err := s.Check(t.Context())
	require.NoError(t, err)
	assert.False(t, lossy)
	storetest.Linearizable(t, s, func() {
		proxies[rand.IntN(3)].CutReplyTo(`{"nonce":"`)
	})
}

// Leaders are killed, paused and cut off while ids are taken as fast as they come.
func TestNoIDComesTwiceWhoeverLeads(t *testing.T) {
	t.Parallel()
	leasetest.TestCluster(t, testserver.EtcdCluster(t, 3),
		func(addrs ...string) store.Store { return ways(t, addrs...) })
}

// A backup is restored, whose revisions come again.
func TestRestored(t *testing.T) {
	t.Parallel()
	leasetest.TestRestored(t, false,
		func(t *testing.T) (server leasetest.Server, open func() store.Store) {
			s := testserver.Etcd(t, testserver.Durable())
			return s, func() store.Store { return ways(t, s.Addr()) }
		})
}
