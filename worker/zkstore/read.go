package zkstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/textstore"
)

func (n *nodes) place() string { return n.root + "/rows/" }

func (n *nodes) node(k textstore.Key) string { return n.place() + k.Path() }

// List shows each row as it was at some moment since it was called, unless the server has
// lost the lead and does not know it yet. The layout's own rows are read before those of
// others: who finds none of others then, and its own rows open, was not too late for them.
func (n *nodes) List(ctx context.Context, layout string) ([]textstore.Entry, error) {
	if err := n.sync(ctx); err != nil {
		return nil, err
	}
	own, err := n.rows(ctx, func(of string) bool { return of == layout })
	if err != nil {
		return nil, err
	}
	others, err := n.rows(ctx, func(of string) bool { return of != layout })
	return append(own, others...), err
}

// rows reads the rows of the layouts that are wanted.
func (n *nodes) rows(ctx context.Context, wanted func(layout string) bool) ([]textstore.Entry,
	error) {
	keys, err := n.keys(ctx, wanted)
	if err != nil {
		return nil, err
	}
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

// keys are the keys of all rows of the layouts that are wanted.
func (n *nodes) keys(ctx context.Context, wanted func(layout string) bool) (all []textstore.Key,
	err error) {
	pools, err := n.children(ctx, n.root+"/rows")
	for _, pool := range pools {
		if layout, _ := url.PathUnescape(pool); !wanted(layout) {
			continue
		}
		names, err := n.children(ctx, n.place()+pool)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			k, err := textstore.ParsePath(n.place(), pool+"/"+name)
			if err != nil {
				return nil, err
			}
			all = append(all, k)
		}
	}
	return all, err
}

// sync lets the server catch up with the leader, behind which it may lag.
func (n *nodes) sync(ctx context.Context) error {
	_, err := cancelable.Call(ctx, func() (string, error) { return n.conn.Sync(n.root + "/rows") })
	return err
}

func (n *nodes) Get(ctx context.Context, k textstore.Key) (string, bool, error) {
	if err := n.sync(ctx); err != nil {
		return "", false, err
	}
	return n.get(ctx, k)
}

func (n *nodes) get(ctx context.Context, k textstore.Key) (string, bool, error) {
	data, err := cancelable.Call(ctx, func() ([]byte, error) {
		data, stat, err := n.conn.Get(n.node(k))
		if err == nil && stat.NumChildren == 0 { // nobody could ever write it
			err = fmt.Errorf("%w: somebody deleted the node below %s: delete that too, which is safe at "+
				"any time", worker.ErrStore, n.node(k))
		}
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
