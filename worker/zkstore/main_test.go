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

func TestMain(m *testing.M) { goleak.VerifyTestMain(server.Around(m)) }

// Most tests have a root of their own on this one, and one has a quota.
var server = testserver.Share(func(t testing.TB) *testserver.Server {
	return testserver.ZooKeeper(t, testserver.Durable(), testserver.Args("enforceQuota=true"))
})

// of is the nodes that a store is in.
func of(s store.Store) *nodes { return s.(*textstore.Store).Server.(*nodes) }

// shared is a store on the server that tests share, of which nothing is there yet.
func shared(t *testing.T) store.Store {
	return New(open(t, server.Get(t).Addr()), Options{Root: rand.Text()})
}

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

const (
	// unhurried is the session of a client that takes no server for dead, however busy the
	// machine is: after two thirds of a session without an answer it hangs up.
	unhurried = 30 * time.Second
	// impatient is that of one that is to leave a dead server soon.
	impatient = 600 * time.Millisecond
)

// open is a connection for one test, which leaves a server only if it knows others.
func open(t *testing.T, addrs ...string) *zk.Conn {
	if len(addrs) > 1 {
		return connect(t, impatient, dial, addrs...)
	}
	// The client rests for a second when it has been through its servers.
	return connect(t, unhurried, dial, slices.Repeat(addrs, 30)...)
}

func connect(t *testing.T, session time.Duration, dial zk.Dialer, addrs ...string) *zk.Conn {
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
