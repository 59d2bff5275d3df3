package zkstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
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
	// Root is the path above all nodes, which is created if it is missing. Processes that use the
	// same layout and the same root share worker ids. Empty: "/ringuid".
	Root string

	// ACL of the nodes that are created. Nil: anybody may do anything.
	ACL []zk.ACL
}

// New returns a store on an ensemble, whose methods may be called from any goroutine. The caller
// keeps the connection, and closes it. Without a connection, Check returns an error.
func New(conn *zk.Conn, o Options) store.Store {
	n := &nodes{conn, path.Join("/", cmp.Or(o.Root, "/ringuid"), "rows"), o.ACL}
	if n.acl == nil {
		n.acl = zk.WorldACL(zk.PermAll)
	}
	return textstore.New("zkstore", 200, n, clock.Real()) // rows a second
}

// nodes keep texts: a textstore.Server.
type nodes struct {
	conn *zk.Conn
	rows string // the node above all rows
	acl  []zk.ACL
}

// Check cannot read the settings that the package's documentation lists.
func (n *nodes) Check(ctx context.Context) error {
	if n.conn == nil {
		return fmt.Errorf("%w: the connection is nil: pass what zk.Connect returns", worker.ErrClaim)
	}
	_, err := n.children(ctx, n.rows)
	return err
}

// Time writes the node above all rows, which stays empty: the answer shows the leader's time.
func (n *nodes) Time(ctx context.Context) (time.Time, time.Duration, error) {
	done, err := n.below(ctx, n.rows, &zk.SetDataRequest{Path: n.rows, Version: -1})
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("reading the leader's clock by writing %s: %w", n.rows, err)
	}
	return time.UnixMilli(done[0].Stat.Mtime), time.Millisecond, nil
}

func (n *nodes) node(k textstore.Key) string { return n.rows + "/" + k.Path() }

// mark returns the path of the node whose name is the nonce in a row's text.
func (n *nodes) mark(k textstore.Key, text string) string {
	_, row, _ := store.ParseRow(k.Layout, k.Worker, text) // a Store has written it, or read it before
	return fmt.Sprintf("%s/%x", n.node(k), row.Nonce)
}

// Create creates the node of a row together with its mark: both or neither.
func (n *nodes) Create(ctx context.Context, k textstore.Key, text string) (bool, error) {
	node := n.node(k)
	_, err := n.below(ctx, path.Dir(node), n.create(node, text), n.create(n.mark(k, text), ""))
	return applied(ctx, err)
}

// CompareAndSet compares the mark, which no other row has ever had: versions start at 0 again when
// a node is deleted and created again. A node always has the mark of its text.
func (n *nodes) CompareAndSet(ctx context.Context, k textstore.Key, old, to string) (bool, error) {
	_, err := n.multi(ctx, &zk.DeleteRequest{Path: n.mark(k, old), Version: -1},
		n.create(n.mark(k, to), ""),
		&zk.SetDataRequest{Path: n.node(k), Data: []byte(to), Version: -1})
	return applied(ctx, err)
}

// List reads the layout's own rows before those of others: if a process finds its own rows open,
// and then none of others, its rows were open first.
func (n *nodes) List(ctx context.Context, layout string) ([]textstore.Entry, error) {
	all, err := each(ctx, n, layout, true, n.entry)
	return slices.DeleteFunc(all, func(e textstore.Entry) bool { return e == textstore.Entry{} }), err
}

func (n *nodes) Get(ctx context.Context, k textstore.Key) (string, error) {
	if err := n.sync(ctx); err != nil {
		return "", err
	}
	e, err := n.entry(ctx, k)
	return e.Text, err
}

// DeleteAll deletes up to 1,024 rows in one transaction: a request may have a megabyte by default
// (jute.maxbuffer), a kilobyte for each row's two paths. It fails as a whole if a row was
// written meanwhile, and what is left is deleted in two of half the size, and so on, at last one
// by one. Then a process may take one of the last when the first are already gone.
func (n *nodes) DeleteAll(ctx context.Context, layout string) error {
	again := true
	for most := 1024; again; most = max(1, most/2) {
		rows, err := each(ctx, n, layout, layout == "", n.deletion)
		if err != nil {
			return err
		}
		again = false
		for some := range slices.Chunk(rows, most) {
			_, err := n.multi(ctx, slices.Concat(some...)...)
			done, err := applied(ctx, err)
			if err != nil {
				return err
			}
			again = again || !done
		}
	}
	return nil
}

// sync lets the server catch up with the leader, behind which it may lag.
func (n *nodes) sync(ctx context.Context) error {
	_, err := cancelable.Call(ctx, func() (string, error) { return n.conn.Sync(n.rows) })
	return err
}

// each returns what read returns for each row of a layout and then, if others is set, for each
// row of other layouts.
func each[T any](ctx context.Context, n *nodes, layout string, others bool,
	read func(context.Context, textstore.Key) (T, error)) (all []T, err error) {
	if err = n.sync(ctx); err != nil {
		return nil, err
	}
	pools, err := n.children(ctx, n.rows)
	own := url.PathEscape(layout)
	if i := slices.Index(pools, own); i > 0 {
		pools[0], pools[i] = own, pools[0]
	}
	for _, pool := range pools {
		if pool != own && !others {
			continue
		}
		names, err := n.children(ctx, n.rows+"/"+pool)
		rows := make([]T, len(names))
		if err == nil {
			err = textstore.Each(ctx, len(names), func(i int) error {
				k, err := textstore.ParsePath(n.rows+"/", pool+"/"+names[i])
				if err == nil {
					rows[i], err = read(ctx, k)
				}
				return err
			})
		}
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, err
}

// entry returns a row, or an empty entry if the row does not exist.
func (n *nodes) entry(ctx context.Context, k textstore.Key) (textstore.Entry, error) {
	e, err := cancelable.Call(ctx, func() (textstore.Entry, error) {
		data, stat, err := n.conn.Get(n.node(k))
		if err == nil && stat.NumChildren == 0 { // no process could ever write it
			err = fmt.Errorf("%w: somebody deleted the node below %s: delete that too, which is safe at "+
				"any time", worker.ErrStore, n.node(k))
		}
		return textstore.Entry{Key: k, Text: string(data)}, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return textstore.Entry{}, nil
	}
	return e, err
}

// deletion returns the deletions of a row's nodes, in the order in which they have to be made.
func (n *nodes) deletion(ctx context.Context, k textstore.Key) (all []any, err error) {
	marks, err := n.children(ctx, n.node(k))
	for _, mark := range marks {
		all = append(all, &zk.DeleteRequest{Path: n.node(k) + "/" + mark, Version: -1})
	}
	return append(all, &zk.DeleteRequest{Path: n.node(k), Version: -1}), err
}

// children returns the names below a path, or none if the path does not exist.
func (n *nodes) children(ctx context.Context, at string) ([]string, error) {
	names, err := cancelable.Call(ctx, func() ([]string, error) {
		names, _, err := n.conn.Children(at)
		return names, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return names, err
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

// overQuota is what the client says of the error code of an enforced quota, which it does not know.
const overQuota = "unknown error: -125"

// Advice adds no passwords, and the client keeps them out of its errors.
func (n *nodes) Advice(err error) (do string, is error) {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case errors.Is(err, zk.ErrNoAuth), errors.Is(err, zk.ErrAuthFailed):
		return "the nodes' ACL forbids it: give the connection the right AddAuth, or " +
			"set Options.ACL", worker.ErrDenied
	case errors.Is(err, zk.ErrInvalidPath), errors.Is(err, zk.ErrBadArguments):
		return "check Options.Root", worker.ErrClaim
	case errors.Is(err, zk.ErrClosing):
		return "the connection is closed: close it after the generator", worker.ErrClaim
	case strings.Contains(err.Error(), overQuota):
		return "a quota of " + path.Dir(n.rows) + " or above it is used up: raise it (setquota)", nil
	case errors.Is(err, zk.ErrNoServer), ended && n.conn.State() != zk.StateHasSession:
		// A server refuses a client that has seen later writes than it has itself, by silently
		// closing the connection, and the client never forgets what it saw.
		return "no server answers: start one, or check hosts and ports; the client keeps trying. " +
			"Or the servers were restored to an older state, and refuse all clients that have seen a " +
			"later one: run `ringuid worker quarantine --store URL`, and restart this process", nil
	case ended:
		return "check that the ensemble is running", nil
	}
	return "", nil
}
