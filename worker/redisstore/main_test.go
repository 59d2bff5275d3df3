package redisstore

import (
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// Tests that leave a server as it was have keys of their own on this one.
var server = testserver.Share(func(t testing.TB) *testserver.Server { return testserver.Redis(t, testserver.Durable()) })

// fresh is a store of which nothing is there yet.
func fresh(c redis.UniversalClient) *Store { return New(c, Options{Prefix: rand.Text()}) }

// shared is a fresh store on the server that such tests share.
func shared(t *testing.T) *Store { return fresh(open(t, server.Get(t).Addr())) }

// on is the same store by another client.
func (s *Store) on(c redis.UniversalClient) *Store { return New(c, s.o) }

// open is a client of the server at addr, for one test.
func open(t *testing.T, addr string) *redis.Client { return openWith(t, addr, 0) }

// openWith is one that repeats a command so often; 0 is its default, -1 never.
func openWith(t *testing.T, addr string, retries int) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: retries})
	t.Cleanup(func() { c.Close() })
	return c
}

// durable is a server of the test's own, for it to stop and to set up, and a store on
// it. It keeps what it acknowledges.
func durable(t *testing.T, options ...testserver.Option) (*testserver.Server, *Store) {
	server := testserver.Redis(t, append(options, testserver.Durable())...)
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
	return worker.Claim{TTL: 300 * time.Millisecond, Timeout: 2 * time.Second, Slack: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
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
