package redisstore

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
)

// After Close, a client that has met a server that was down sleeps for up to a second.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(server.Around(m),
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}

// Tests that leave a server as it was have keys of their own on this one.
var server = testserver.Share(func(t testing.TB) *testserver.Server {
	return testserver.Redis(t, testserver.Durable())
})

func newRows(c redis.UniversalClient, o Options) *rows { return New(c, o).(*rows) }

// fresh is a store of which nothing is there yet.
func fresh(c redis.UniversalClient) *rows { return newRows(c, Options{Prefix: rand.Text()}) }

// shared is a fresh store on the server that such tests share.
func shared(t *testing.T) *rows { return fresh(open(t, server.Get(t).Addr())) }

// open is a client of the server at addr, for one test.
func open(t *testing.T, addr string) *redis.Client {
	return openWith(t, &redis.Options{Addr: addr})
}

// patient is one that waits for a server as long as a busy machine takes.
func patient(t *testing.T, addr string) *redis.Client {
	return openWith(t, &redis.Options{Addr: addr, ReadTimeout: 2 * time.Minute})
}

// as is one that logs in, and says nothing else of itself.
func as(t *testing.T, addr, user, password string) *redis.Client {
	return openWith(t, &redis.Options{Addr: addr, Username: user, Password: password,
		DisableIdentity: true})
}

func openWith(t *testing.T, o *redis.Options) *redis.Client {
	c := redis.NewClient(o)
	t.Cleanup(func() { c.Close() })
	return c
}

// must sends a command of the test's own. A client that has met a server that was down gives
// the same answer for a second after it is up again.
func must(t *testing.T, client redis.UniversalClient, args ...any) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		assert.NoError(c, client.Do(t.Context(), args...).Err())
	}, time.Minute, 50*time.Millisecond)
}

// durable is a server of the test's own, for it to stop and to set up, and a store on
// it. It keeps what it acknowledges.
func durable(t *testing.T) (*testserver.Server, *rows) {
	server := testserver.Redis(t, testserver.Durable())
	return server, newRows(open(t, server.Addr()), Options{})
}
