package zkstore

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(ensemble.Around(m))) }

// Most tests have a root of their own on one of these.
var (
	server   = testserver.Share(func(t testing.TB) *testserver.Server { return testserver.ZooKeeper(t, testserver.Durable()) })
	ensemble = testserver.Share(func(t testing.TB) *testserver.Cluster { return testserver.ZooKeeperEnsemble(t, 3) })
)

// fresh is a store of which nothing is there yet.
func fresh(c *zk.Conn) *Store { return New(c, Options{Root: rand.Text()}) }

// shared is a fresh store on the server that all tests share.
func shared(t *testing.T) *Store { return fresh(open(t, server.Get(t).Addr())) }

// on is the same store over another connection.
func (s *Store) on(c *zk.Conn) *Store { return New(c, Options{Root: s.root, ACL: s.acl}) }

// open is a connection to the server at addr, for one test.
func open(t *testing.T, addr string) *zk.Conn { return openFor(t, addr, unhurried) }

// unhurried is the session of a client that takes no server for dead, however busy the
// machine is: after two thirds of a session without an answer it hangs up.
const unhurried = 30 * time.Second

// openFor is one whose session ends so long after it was last heard of.
func openFor(t *testing.T, addr string, session time.Duration) *zk.Conn {
	// The client rests for a second when it has been through its servers.
	again := slices.Repeat([]string{addr}, 30)
	return connect(t, session, again)
}

func connect(t *testing.T, session time.Duration, addrs []string) *zk.Conn {
	c, events, err := zk.Connect(addrs, session, zk.WithDialer(dial), zk.WithLogger(silent{}), zk.WithLogInfo(false))
	require.NoError(t, err)
	t.Cleanup(func() {
		c.Close()
		for range events { // until its goroutines have ended
		}
	})
	return c
}

// dial bounds the wait for the first answer of a server. While a server starts or
// ends, it may take a connection and never answer: the client waits for nearly seven
// sessions then, 200 s of an unhurried one.
func dial(network, addr string, timeout time.Duration) (net.Conn, error) {
	c, err := net.DialTimeout(network, addr, timeout)
	return &dialed{Conn: c}, err
}

type dialed struct {
	net.Conn
	answered bool
}

func (d *dialed) SetReadDeadline(t time.Time) error {
	if most := time.Now().Add(5 * time.Second); !d.answered && t.After(most) {
		t = most
	}
	d.answered = d.answered || t.IsZero() // the client sets none after the first answer
	return d.Conn.SetReadDeadline(t)
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// durable is a server of the test's own, for it to stop and start, and a store on it. It
// keeps what it acknowledges.
func durable(t *testing.T) (*testserver.Server, *Store) {
	server := testserver.ZooKeeper(t, testserver.Durable())
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
