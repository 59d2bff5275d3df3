package etcdstore

import (
	"crypto/rand"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(cluster.Around(m))) }

// Most tests have keys of their own on one of these.
var (
	server = testserver.Share(func(t testing.TB) *testserver.Server {
		return testserver.Etcd(t,
			testserver.Durable())
	})
	cluster = testserver.Share(
		func(t testing.TB) *testserver.Cluster { return testserver.EtcdCluster(t, 3) })
)

// of is the cluster that a store is on.
func of(s store.Store) *etcd { return s.(*textstore.Store).Server.(*etcd) }

// fresh is a store of which nothing is there yet.
func fresh(c *clientv3.Client) store.Store { return New(c, Options{Prefix: rand.Text()}) }

// shared is a fresh store on the server that all tests share.
func shared(t *testing.T) store.Store { return fresh(open(t, server.Get(t).Addr())) }

func prefix(s store.Store) string { return strings.TrimSuffix(of(s).place, "/rows/") }

// key is that of the row of a worker id of leasetest's pool.
func rowKey(s store.Store, worker int64) string {
	return of(s).key(textstore.Key{Layout: leasetest.Pool.Layout, Worker: worker})
}

// open is a client of the server at addr, for one test.
func open(t *testing.T, addr string) *clientv3.Client { return openAs(t, addr, "", "") }

func openAs(t *testing.T, addr, user, password string) *clientv3.Client {
	c, err := newClient(addr, user, password)
	require.NoError(t, err)
	t.Cleanup(func() { closeClient(c) })
	return c
}

func newClient(addr, user, password string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{
		Endpoints: []string{addr}, Username: user, Password: password,
		DialTimeout: time.Minute, Logger: zap.NewNop(), // it logs each failed dial
	})
}

// closeClient reports what its context ended with, which is no news.
func closeClient(c io.Closer) { _ = c.Close() }

// durable is a server of the test's own, for it to stop and to set up, and a store on
// it. It keeps what it acknowledges.
func durable(t *testing.T) (*testserver.Server, store.Store) {
	server := testserver.Etcd(t, testserver.Durable())
	return server, New(open(t, server.Addr()), Options{})
}
