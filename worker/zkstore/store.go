package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its nodes, and who may change them.
type Options struct {
	// Root is the path above all nodes, which is created if it is missing. Whoever uses the
	// same layout and the same root shares worker ids. Empty: "/ringuid".
	Root string

	// ACL of the nodes that are created. Nil: anybody may do anything.
	ACL []zk.ACL
}

// New returns a store on an ensemble, whose methods may be called from any goroutine. The caller
// keeps the connection, and closes it. Without a connection, Check returns an error.
func New(conn *zk.Conn, o Options) store.Store {
	const rowsPerSecond = 200
	return textstore.New("zkstore", rowsPerSecond, newNodes(conn, o), clock.Real())
}

// nodes keep texts: a textstore.Server.
type nodes struct {
	conn *zk.Conn
	root string
	acl  []zk.ACL
}

func newNodes(conn *zk.Conn, o Options) *nodes {
	root := strings.TrimSuffix("/"+strings.Trim(cmp.Or(o.Root, "/ringuid"), "/"), "/")
	if o.ACL == nil {
		o.ACL = zk.WorldACL(zk.PermAll)
	}
	return &nodes{conn, root, o.ACL}
}

// Check is described at textstore.Server. The package's documentation lists the settings that
// the store depends on, which a client cannot read.
func (n *nodes) Check(ctx context.Context) error {
	if n.conn == nil {
		return errors.New("the connection that the store was made with is nil: pass what zk.Connect " +
			"returns")
	}
	_, err := cancelable.Call(ctx, func() (bool, error) {
		there, _, err := n.conn.Exists(cmp.Or(n.root, "/"))
		return there, err
	})
	return err
}

// Time changes a node, which changes nothing: each change has the leader's time, and whoever
// makes one is told.
func (n *nodes) Time(ctx context.Context) (time.Time, time.Duration, error) {
	clock, stat := n.root+"/clock", &zk.Stat{}
	err := n.below(ctx, clock, func() (err error) {
		stat, err = cancelable.Call(ctx, func() (*zk.Stat, error) { return n.conn.Set(clock, nil, -1) })
		return err
	})
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("reading the leader's clock by writing %s: %w", clock, err)
	}
	return time.UnixMilli(stat.Mtime), time.Millisecond, nil
}

// Create creates the node of a row with its mark, both or neither.
func (n *nodes) Create(ctx context.Context, k textstore.Key, text string) (bool, error) {
	node := n.node(k)
	err := n.below(ctx, above(node), func() error {
		return n.multi(ctx, n.create(node, text), n.create(n.mark(k, text), ""))
	})
	if errors.Is(err, zk.ErrNodeExists) {
		return false, nil
	}
	return err == nil, err
}

// CompareAndSet compares the mark of a row, which no other row has ever had: the version of
// a node that was deleted and created again begins at 0 again. All three changes are made or
// none, so a node always has the mark of its text.
func (n *nodes) CompareAndSet(ctx context.Context, k textstore.Key, old, text string) (bool,
	error) {
	err := n.multi(ctx, &zk.DeleteRequest{Path: n.mark(k, old), Version: -1},
		n.create(n.mark(k, text), ""),
		&zk.SetDataRequest{Path: n.node(k), Data: []byte(text), Version: -1})
	if errors.Is(err, zk.ErrNoNode) {
		return false, nil
	}
	return err == nil, err
}

// mark is the path of the node that has the nonce of a row's text as its name.
func (n *nodes) mark(k textstore.Key, text string) string {
	_, row, _ := textstore.Parse(k, text) // which a Store has written, or read before
	return fmt.Sprintf("%s/%x", n.node(k), row.Nonce)
}

func (n *nodes) create(path, text string) *zk.CreateRequest {
	return &zk.CreateRequest{Path: path, Data: []byte(text), Acl: n.acl}
}

// multi makes all of these changes or none.
func (n *nodes) multi(ctx context.Context, ops ...any) error {
	_, err := cancelable.Call(ctx, func() (any, error) { return n.conn.Multi(ops...) })
	return sent(err)
}

func above(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// below makes a change below a path, and makes it again if the path had to be created.
func (n *nodes) below(ctx context.Context, at string, change func() error) error {
	err := change()
	if !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	err = n.below(ctx, above(at), func() error {
		_, err := cancelable.Call(ctx, func() (string, error) {
			return n.conn.Create(at, nil, zk.FlagPersistent, n.acl)
		})
		return err
	})
	if err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return fmt.Errorf("%s: %w", at, err)
	}
	return change()
}
