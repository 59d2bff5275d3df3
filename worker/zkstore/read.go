package zkstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
)

func (n *nodes) place() string { return n.root + "/rows" }

func (n *nodes) pool(layout string) string { return n.place() + "/" + url.PathEscape(layout) }

func (n *nodes) node(k textstore.Key) string {
	return fmt.Sprintf("%s/%019d", n.pool(k.Layout), k.Worker)
}

// List shows each row as it was at some moment since it was called, unless the server has
// lost the lead and does not know it yet.
func (n *nodes) List(ctx context.Context, layout string, first, last int64) ([]textstore.Entry,
	error) {
	skip := ""
	if first == last { // for one row, the names of its pool's other rows are not read
		skip = layout
	}
	keys, err := n.keys(ctx, skip, func(k textstore.Key) bool {
		return k.Layout != layout || first <= k.Worker && k.Worker <= last
	})
	if err != nil {
		return nil, err
	}
	if skip != "" {
		keys = append(keys, textstore.Key{Layout: layout, Worker: first})
	}
	all := make([]textstore.Entry, len(keys))
	there := make([]bool, len(keys))
	err = textstore.Each(ctx, len(keys), func(i int) (err error) {
		all[i].Key = keys[i]
		all[i].Text, there[i], err = n.Get(ctx, keys[i])
		return err
	})
	found := all[:0]
	for i, entry := range all {
		if there[i] { // else it was deleted meanwhile
			found = append(found, entry)
		}
	}
	return found, err
}

// keys are the keys of all rows that are wanted, in all pools but that of the layout skip.
func (n *nodes) keys(ctx context.Context, skip string,
	wanted func(textstore.Key) bool) (all []textstore.Key, err error) {
	// The server catches up with the leader, behind which it may lag.
	if _, err := cancelable.Call(ctx,
		func() (string, error) { return n.conn.Sync(n.place()) }); err != nil {
		return nil, err
	}
	pools, err := n.children(ctx, n.place())
	if err != nil {
		return nil, err
	}
	for _, escaped := range pools {
		layout, _ := url.PathUnescape(escaped)
		if skip != "" && layout == skip {
			continue
		}
		names, err := n.children(ctx, n.place()+"/"+escaped)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			worker, err := strconv.ParseInt(name, 10, 64)
			k := textstore.Key{Layout: layout, Worker: worker}
			if path := n.place() + "/" + escaped + "/" + name; err != nil || n.node(k) != path {
				return nil, fmt.Errorf("%w: the node %s is no worker id's: delete it", store.ErrStore, path)
			}
			if wanted(k) {
				all = append(all, k)
			}
		}
	}
	return all, nil
}

func (n *nodes) Get(ctx context.Context, k textstore.Key) (string, bool, error) {
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
