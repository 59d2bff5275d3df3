package redisstore

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// Tests that leave a server as it was have keys of their own on this one.
var server = testserver.Share(func(t testing.TB) *testserver.Server {
	return testserver.Redis(t,
		testserver.Durable())
})

func newRows(c redis.UniversalClient, o Options) *rows { return New(c, o).(*rows) }

// fresh is a store of which nothing is there yet.
func fresh(c redis.UniversalClient) *rows { return newRows(c, Options{Prefix: rand.Text()}) }

// shared is a fresh store on the server that such tests share.
func shared(t *testing.T) *rows { return fresh(open(t, server.Get(t).Addr())) }

// on is the same store by another client.
func (s *rows) on(c redis.UniversalClient) *rows { return newRows(c, s.o) }

// open is a client of the server at addr, for one test.
func open(t *testing.T, addr string) *redis.Client { return openWith(t, addr, 0) }

// openWith is one that repeats a command so often; 0 is its default, -1 never.
func openWith(t *testing.T, addr string, retries int) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: retries})
	t.Cleanup(func() { c.Close() })
	return c
}

// patient is one that waits for a server as long as a busy machine takes.
func patient(t *testing.T, addr string) *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: addr, ReadTimeout: 2 * time.Minute})
	t.Cleanup(func() { c.Close() })
	return c
}

// durable is a server of the test's own, for it to stop and to set up, and a store on
// it. It keeps what it acknowledges.
func durable(t *testing.T, options ...testserver.Option) (*testserver.Server, *rows) {
	server := testserver.Redis(t, append(options, testserver.Durable())...)
	return server, newRows(open(t, server.Addr()), Options{})
}
