package etcdstore

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(cluster.Around(m))) }

// Most tests have keys of their own on one of these.
var (
	server  = testserver.Share(func(t testing.TB) *testserver.Server { return testserver.Etcd(t, testserver.Durable()) })
	cluster = testserver.Share(func(t testing.TB) *testserver.Cluster { return testserver.EtcdCluster(t, 3) })
)

// fresh is a store of which nothing is there yet.
func fresh(c *clientv3.Client) *Store { return New(c, Options{Prefix: rand.Text()}) }

// shared is a fresh store on the server that all tests share.
func shared(t *testing.T) *Store { return fresh(open(t, server.Get(t).Addr())) }

// on is the same store by another client.
func (s *Store) on(c *clientv3.Client) *Store { return New(c, Options{Prefix: s.prefix}) }

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
		DialTimeout: 5 * time.Second, Logger: zap.NewNop(), // it logs each failed dial
	})
}

// closeClient reports what its context ended with, which is no news.
func closeClient(c io.Closer) { _ = c.Close() }

// durable is a server of the test's own, for it to stop and to set up, and a store on
// it. It keeps what it acknowledges.
func durable(t *testing.T) (*testserver.Server, *Store) {
	server := testserver.Etcd(t, testserver.Durable())
	return server, New(open(t, server.Addr()), Options{})
}

var need = worker.Need{Unit: 10 * time.Millisecond, MaxID: 1023, Fingerprint: "a layout"}

// made is a namespace "default" of a few worker ids in s.
func made(t *testing.T, s store.Store) store.Namespace {
	n, err := worker.NewNamespace("default", need, 0, 3, time.Second)
	require.NoError(t, err)
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{Fresh: true}))
	return n
}

// claim is one of tests, which wait for things.
func claim() worker.Claim {
	return worker.Claim{TTL: 300 * time.Millisecond, Timeout: 2 * time.Second, Logger: slog.New(slog.DiscardHandler)}
}

// write is one that extends or acquires the row of worker id 0 as v shows it.
func write(v store.View, acquire bool) store.Write {
	w := store.Write{
		Namespace: v.Name, Fingerprint: v.Fingerprint, Epoch: v.Epoch, Floor: v.Floor,
		Expect: []store.Nonce{v.Rows[0].Nonce}, High: v.Rows[0].High + 1, TTL: time.Minute, Acquire: acquire, Now: v.Now,
	}
	w.Nonce[0] = w.Expect[0][0] + 1
	return w
}

func view(t *testing.T, s store.Store) store.View {
	t.Helper()
	v, err := s.View(t.Context(), "default", 0, 3)
	require.NoError(t, err)
	return v
}

// soon bounds a call that would wait for a server.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}
