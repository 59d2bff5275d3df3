package zkstore

import (
	"crypto/rand"
	"net"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(ensemble.Around(m))) }

// Most tests have a root of their own on one of these.
var (
	server = testserver.Share(func(t testing.TB) *testserver.Server {
		return testserver.ZooKeeper(t,
			testserver.Durable())
	})
	ensemble = testserver.Share(
		func(t testing.TB) *testserver.Cluster { return testserver.ZooKeeperEnsemble(t, 3, patient) })
)

// patient servers take none of their own for gone that is only slow.
var patient = testserver.Args("syncLimit=150")

// of is the nodes that a store is in.
func of(s store.Store) *nodes { return s.(*textstore.Store).Server.(*nodes) }

// fresh is a store of which nothing is there yet.
func fresh(c *zk.Conn) store.Store { return New(c, Options{Root: rand.Text()}) }

// shared is a fresh store on the server that all tests share.
func shared(t *testing.T) store.Store { return fresh(open(t, server.Get(t).Addr())) }

// root is the path above all of a store's nodes.
func root(s store.Store) string { return path.Dir(of(s).rows) }

// on is the same store over another connection.
func on(s store.Store, c *zk.Conn) store.Store {
	return New(c, Options{Root: root(s), ACL: of(s).acl})
}

// node is that of the row of a worker id of leasetest's pool.
func node(s store.Store, worker int64) string {
	return of(s).node(textstore.Key{Layout: leasetest.Pool.Layout, Worker: worker})
}

// mark is the node below it, of which there is one.
func mark(t *testing.T, s store.Store, worker int64) string {
	t.Helper()
	marks, _, err := of(s).conn.Children(node(s, worker))
	require.NoError(t, err)
	require.Len(t, marks, 1)
	return node(s, worker) + "/" + marks[0]
}

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
	c, events, err := zk.Connect(addrs, session, zk.WithDialer(dial), zk.WithLogger(silent{}),
		zk.WithLogInfo(false))
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
func durable(t *testing.T) (*testserver.Server, store.Store) {
	server := testserver.ZooKeeper(t, testserver.Durable())
	return server, New(open(t, server.Addr()), Options{})
}
