package zkstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
)

func (n *nodes) place() string { return n.root + "/rows" }

func (n *nodes) pool(layout string) string { return n.place() + "/" + url.PathEscape(layout) }

func (n *nodes) node(k textstore.Key) string {
	return fmt.Sprintf("%s/%019d", n.pool(k.Layout), k.Worker)
}

// List shows each row as it was at some moment since it was called, unless the server has
// lost the lead and does not know it yet. The layout's own rows are read before those of
// others: who finds none of others then, and its own rows open, was not too late for them.
func (n *nodes) List(ctx context.Context, layout string, first, last int64) ([]textstore.Entry,
	error) {
	if err := n.sync(ctx); err != nil {
		return nil, err
	}
	own, err := n.rows(ctx, func(of string) bool { return of == layout }, first, last)
	if err != nil {
		return nil, err
	}
	others, err := n.rows(ctx, func(of string) bool { return of != layout }, 0, math.MaxInt64)
	return append(own, others...), err
}

// rows reads the rows from first to last of the layouts that are wanted.
func (n *nodes) rows(ctx context.Context, wanted func(layout string) bool, first, last int64) (
	[]textstore.Entry, error) {
	keys, err := n.keys(ctx, wanted)
	if err != nil {
		return nil, err
	}
	keys = slices.DeleteFunc(keys, func(k textstore.Key) bool {
		return k.Worker < first || k.Worker > last
	})
	all := make([]textstore.Entry, len(keys))
	err = textstore.Each(ctx, len(keys), func(i int) error {
		text, there, err := n.get(ctx, keys[i])
		if there {
			all[i] = textstore.Entry{Key: keys[i], Text: text}
		}
		return err
	})
	return slices.DeleteFunc(all, func(e textstore.Entry) bool { return e == textstore.Entry{} }), err
}

// sync lets the server catch up with the leader, behind which it may lag.
func (n *nodes) sync(ctx context.Context) error {
	_, err := cancelable.Call(ctx, func() (string, error) { return n.conn.Sync(n.place()) })
	return err
}

// keys are the keys of all rows of the layouts that are wanted.
func (n *nodes) keys(ctx context.Context, wanted func(layout string) bool) (all []textstore.Key,
	err error) {
	pools, err := n.children(ctx, n.place())
	for _, escaped := range pools {
		layout, _ := url.PathUnescape(escaped)
		if !wanted(layout) {
			continue
		}
		names, err := n.children(ctx, n.pool(layout))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			id, err := strconv.ParseInt(name, 10, 64)
			k := textstore.Key{Layout: layout, Worker: id}
			if path := n.pool(layout) + "/" + name; err != nil || n.node(k) != path {
				return nil, fmt.Errorf("%w: the node %s is no worker id's: delete it", worker.ErrStore, path)
			}
			all = append(all, k)
		}
	}
	return all, err
}

func (n *nodes) Get(ctx context.Context, k textstore.Key) (string, bool, error) {
	if err := n.sync(ctx); err != nil {
		return "", false, err
	}
	return n.get(ctx, k)
}

func (n *nodes) get(ctx context.Context, k textstore.Key) (string, bool, error) {
	data, err := cancelable.Call(ctx, func() ([]byte, error) {
		data, _, err := n.conn.Get(n.node(k))
		return data, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

// children are the names below a path; none where it is not there.
func (n *nodes) children(ctx context.Context, path string) ([]string, error) {
	names, err := cancelable.Call(ctx, func() ([]string, error) {
		names, _, err := n.conn.Children(path)
		return names, err
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	return names, err
}
