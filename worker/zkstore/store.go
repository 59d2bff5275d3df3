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
	"github.com/ringuid/ringuid/worker"
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
	path := n.root + "/clock"
	stat, err := below(ctx, n, path, func() (*zk.Stat, error) {
		return cancelable.Call(ctx, func() (*zk.Stat, error) { return n.conn.Set(path, nil, -1) })
	})
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("reading the leader's clock by writing %s: %w", path, err)
	}
	return time.UnixMilli(stat.Mtime), time.Millisecond, nil
}

// Create creates the node of a row with its mark, both or neither.
func (n *nodes) Create(ctx context.Context, k textstore.Key, text string) (bool, error) {
	mark, err := n.mark(k, text)
	if err != nil {
		return false, err
	}
	return below(ctx, n, n.pool(k.Layout), func() (bool, error) {
		return n.multi(ctx, n.create(n.node(k), text), n.create(mark, ""))
	})
}

// CompareAndSet compares the mark of a row, which no other row has ever had: the version of
// a node that was deleted and created again begins at 0 again. All three changes are made or
// none, so a node always has the mark of its text.
func (n *nodes) CompareAndSet(ctx context.Context, k textstore.Key, old, text string) (bool,
	error) {
	was, err := n.mark(k, old)
	is, bad := n.mark(k, text)
	if err = cmp.Or(err, bad); err != nil {
		return false, err
	}
	done, err := n.multi(ctx, &zk.DeleteRequest{Path: was, Version: -1}, n.create(is, ""),
		&zk.SetDataRequest{Path: n.node(k), Data: []byte(text), Version: -1})
	if errors.Is(err, zk.ErrNoNode) {
		return false, n.marked(ctx, k, old)
	}
	return done, err
}

// marked returns an error if a row still has the text old, and has no mark: nobody could ever
// write it.
func (n *nodes) marked(ctx context.Context, k textstore.Key, old string) error {
	if text, there, err := n.Get(ctx, k); err != nil || !there || text != old {
		return err
	}
	return fmt.Errorf("%w: somebody deleted the node below %s: delete that too, which is safe at any "+
		"time", worker.ErrStore, n.node(k))
}

// mark is the path of the node that has the nonce of a row's text as its name.
func (n *nodes) mark(k textstore.Key, text string) (string, error) {
	_, row, err := textstore.Parse(k, text)
	return fmt.Sprintf("%s/%x", n.node(k), row.Nonce), err
}

func (n *nodes) create(path, text string) *zk.CreateRequest {
	return &zk.CreateRequest{Path: path, Data: []byte(text), Acl: n.acl}
}

// multi makes all of these changes or none. It returns false for none since a node was
// there, and an error that wraps zk.ErrNoNode for none since one was missing.
func (n *nodes) multi(ctx context.Context, ops ...any) (bool, error) {
	_, err := cancelable.Call(ctx, func() (any, error) { return n.conn.Multi(ops...) })
	if errors.Is(err, zk.ErrNodeExists) {
		return false, nil
	}
	return err == nil, sent(err)
}

// below makes a change below a path, and makes it again if the path had to be created.
func below[T any](ctx context.Context, n *nodes, path string, change func() (T, error)) (T, error) {
	done, err := change()
	if errors.Is(err, zk.ErrNoNode) {
		if err = n.makePath(ctx, path); err == nil {
			done, err = change()
		}
	}
	return done, err
}

// makePath creates a node and those above it.
func (n *nodes) makePath(ctx context.Context, path string) error {
	for end, r := range path + "/" {
		if r != '/' || end == 0 {
			continue
		}
		_, err := cancelable.Call(ctx, func() (string, error) {
			return n.conn.Create(path[:end], nil, zk.FlagPersistent, n.acl)
		})
		if err != nil && !errors.Is(err, zk.ErrNodeExists) {
			return fmt.Errorf("%s: %w", path[:end], err)
		}
	}
	return nil
}
