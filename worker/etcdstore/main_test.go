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

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// Most tests have keys of their own on this one.
var server = testserver.Share(
	func(t testing.TB) *testserver.Server { return testserver.Etcd(t, testserver.Durable()) })

// of is the cluster that a store is on.
func of(s store.Store) *etcd { return s.(*textstore.Store).Server.(*etcd) }

// shared is a store on the server that tests share, of which nothing is there yet.
func shared(t *testing.T) store.Store {
	return New(open(t, server.Get(t).Addr()), Options{Prefix: rand.Text()})
}

func prefix(s store.Store) string { return strings.TrimSuffix(of(s).place, "/rows/") }

// key is that of the row of a worker id of leasetest's pool.
func rowKey(s store.Store, worker int64) string {
	return of(s).key(textstore.Key{Layout: leasetest.Pool.Layout, Worker: worker})
}

// open is a client of the servers at addrs, for one test.
func open(t *testing.T, addrs ...string) *clientv3.Client {
	c, err := newClient("", "", addrs...)
	require.NoError(t, err)
	t.Cleanup(func() { closeClient(c) })
	return c
}

func newClient(user, password string, addrs ...string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{
		Endpoints: addrs, Username: user, Password: password,
		DialTimeout: time.Minute, Logger: zap.NewNop(), // it logs each failed dial
		DialKeepAliveTime: 10 * time.Second, DialKeepAliveTimeout: time.Second,
	})
}

// closeClient reports what its context ended with, which is no news.
func closeClient(c io.Closer) { _ = c.Close() }
