package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

// Options say where a Store keeps its nodes, and who may change them.
type Options struct {
	// Root is the path above all nodes, which is created if it is missing. Processes that use the
	// same layout and the same root share worker ids. Empty: "/ringuid".
	Root string

	// ACL of the nodes that are created. Nil: anybody may do anything.
	ACL []zk.ACL
}

// New returns a store on an ensemble, whose methods may be called from any goroutine. The caller
// keeps the connection, and closes it. Without a connection, Check returns an error.
func New(conn *zk.Conn, o Options) store.Store {
	const rowsPerSecond = 200
	n := &nodes{conn, path.Join("/", cmp.Or(o.Root, "/ringuid"), "rows"), o.ACL}
	if n.acl == nil {
		n.acl = zk.WorldACL(zk.PermAll)
	}
	return textstore.New("zkstore", rowsPerSecond, n, clock.Real())
}

// nodes keep texts: a textstore.Server.
type nodes struct {
	conn *zk.Conn
	rows string // the node above all rows
	acl  []zk.ACL
}

// Check is described at textstore.Server. The package's documentation lists the settings that
// the store depends on, which a client cannot read.
func (n *nodes) Check(ctx context.Context) error {
	if n.conn == nil {
		return errors.New("the connection that the store was made with is nil: pass what zk.Connect " +
			"returns")
	}
	_, err := n.children(ctx, n.rows)
	return err
}

// Time writes the node above all rows, which stays empty: each write has the leader's time, and
// the answer shows it.
func (n *nodes) Time(ctx context.Context) (time.Time, time.Duration, error) {
	done, err := n.below(ctx, n.rows, &zk.SetDataRequest{Path: n.rows, Version: -1})
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("reading the leader's clock by writing %s: %w", n.rows, err)
	}
	return time.UnixMilli(done[0].Stat.Mtime), time.Millisecond, nil
}

// multi makes all of these changes or none.
func (n *nodes) multi(ctx context.Context, ops ...any) ([]zk.MultiResponse, error) {
	return cancelable.Call(ctx, func() ([]zk.MultiResponse, error) { return n.conn.Multi(ops...) })
}

// below makes changes below a node, and makes them again if the node had to be created first.
func (n *nodes) below(ctx context.Context, at string, ops ...any) ([]zk.MultiResponse, error) {
	done, err := n.multi(ctx, ops...)
	if !errors.Is(err, zk.ErrNoNode) {
		return done, err
	}
	_, err = n.below(ctx, path.Dir(at), n.create(at, ""))
	if err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return n.multi(ctx, ops...)
}

func (n *nodes) create(at, text string) *zk.CreateRequest {
	return &zk.CreateRequest{Path: at, Data: []byte(text), Acl: n.acl}
}

// applied returns the outcome of a write that was sent: false if the nodes did not match.
func applied(ctx context.Context, err error) (bool, error) {
	switch {
	case errors.Is(err, zk.ErrNoNode), errors.Is(err, zk.ErrNodeExists),
		errors.Is(err, zk.ErrNotEmpty):
		return false, nil
	case err != nil && ctx.Err() != nil, errors.Is(err, zk.ErrConnectionClosed),
		errors.Is(err, zk.ErrSessionExpired):
		return false, textstore.Unanswered(err)
	}
	return err == nil, err
}

// Advice is described at textstore.Server. The client keeps passwords out of its errors, and
// nothing that is added here can contain one.
func (n *nodes) Advice(err error) string {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case errors.Is(err, zk.ErrNoAuth), errors.Is(err, zk.ErrAuthFailed):
		return "the nodes' ACL does not allow it: give the connection the right AddAuth, or set " +
			"Options.ACL"
	case errors.Is(err, zk.ErrInvalidPath), errors.Is(err, zk.ErrBadArguments):
		return "check Options.Root"
	case errors.Is(err, zk.ErrNoServer), ended && n.conn.State() != zk.StateHasSession:
		// A server refuses a client that has seen later writes than it has itself, by silently
		// closing the connection, and the client never forgets what it saw.
		return "no server answers: start one, or check hosts and ports; the client keeps trying. Or " +
			"the servers were restored to an older state, and refuse all clients that have seen a later " +
			"one: run `uidbench worker quarantine`, and restart this process"
	case ended:
		return "check that the ensemble is running"
	}
	return ""
}
