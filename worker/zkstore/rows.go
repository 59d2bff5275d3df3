package zkstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

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

// CompareAndSet compares the mark of a row, which no other row has ever had, and not the
// version, which starts at 0 again in a node that was deleted and created again. Either all
// three changes are made or none, so a node always has the mark of its text.
func (n *nodes) CompareAndSet(ctx context.Context, k textstore.Key, old, text string) (bool,
	error) {
	_, err := n.multi(ctx, &zk.DeleteRequest{Path: n.mark(k, old), Version: -1},
		n.create(n.mark(k, text), ""),
		&zk.SetDataRequest{Path: n.node(k), Data: []byte(text), Version: -1})
	return applied(ctx, err)
}

// List shows each row as it was at some moment after the call began, unless the server has lost
// the lead and does not know it yet. The layout's own rows are read before those of others: if
// a process finds its own rows open, and then none of others, its rows were open first.
func (n *nodes) List(ctx context.Context, layout string) ([]textstore.Entry, error) {
	if err := n.sync(ctx); err != nil {
		return nil, err
	}
	own := url.PathEscape(layout)
	all, err := each(ctx, n, func(pool string) bool { return pool == own }, n.entry)
	if err != nil {
		return nil, err
	}
	others, err := each(ctx, n, func(pool string) bool { return pool != own }, n.entry)
	all = append(all, others...)
	return slices.DeleteFunc(all, func(e textstore.Entry) bool { return e == textstore.Entry{} }), err
}

// Get is described at textstore.Server.
func (n *nodes) Get(ctx context.Context, k textstore.Key) (string, error) {
	if err := n.sync(ctx); err != nil {
		return "", err
	}
	e, err := n.entry(ctx, k)
	return e.Text, err
}

// mostRows is how many rows are deleted in one transaction: all of a pool of the usual size. A
// request may have a megabyte by default (jute.maxbuffer), a kilobyte for each row's two paths.
const mostRows = 1024

// DeleteAll deletes rows in one transaction if they fit into one. It fails as a whole if a row
// was written meanwhile, and what is left is deleted in two of half the size, and so on. If
// rows are written faster than that, they are finally deleted one by one. That is as safe for
// each row, but a process may take one of the last when the first are already gone.
func (n *nodes) DeleteAll(ctx context.Context, layout string) error {
	wanted := func(pool string) bool { return layout == "" || pool == url.PathEscape(layout) }
	again := true
	for most := mostRows; again; most = max(1, most/2) {
		if err := n.sync(ctx); err != nil {
			return err
		}
		rows, err := each(ctx, n, wanted, n.deletion)
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

// each returns what read returns for each row of the layouts whose nodes are wanted.
func each[T any](ctx context.Context, n *nodes, wanted func(pool string) bool,
	read func(context.Context, textstore.Key) (T, error)) ([]T, error) {
	var keys []textstore.Key
	pools, err := n.children(ctx, n.rows)
	if err != nil {
		return nil, err
	}
	for _, pool := range slices.DeleteFunc(pools, func(p string) bool { return !wanted(p) }) {
		names, err := n.children(ctx, n.rows+"/"+pool)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			k, err := textstore.ParsePath(n.rows+"/", pool+"/"+name)
			if err != nil {
				return nil, err
			}
			keys = append(keys, k)
		}
	}
	all := make([]T, len(keys))
	return all, textstore.Each(ctx, len(keys), func(i int) (err error) {
		all[i], err = read(ctx, keys[i])
		return err
	})
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
