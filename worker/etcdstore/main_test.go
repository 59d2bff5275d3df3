package etcdstore

import (
	"context"
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

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// durable is a server that keeps what it acknowledges, and a store on it.
func durable(t *testing.T, options ...testserver.Option) (*testserver.Server, *Store) {
	server := testserver.Etcd(t, append(options, testserver.Durable())...)
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
