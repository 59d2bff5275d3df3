package zkstore

import (
	"context"
	"errors"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

// mostRows are deleted in one transaction: all of a pool of the usual size. A request may have a
// megabyte by default (jute.maxbuffer), which is a kilobyte for the two paths of each row.
const mostRows = 1024

// DeleteAll deletes rows in one transaction if they fit into one. It fails as a whole when a
// row was written meanwhile, and what is left is deleted in two of half the size, and so on.
// Where rows are written faster than that, they are deleted one by one in the end, which is as
// safe for each of them, but a process may take one of the last while the first are gone.
func (n *nodes) DeleteAll(ctx context.Context, layout string) error {
	again := true
	for most := mostRows; again; most = max(1, most/2) {
		rows, err := n.deletions(ctx, layout)
		if err != nil {
			return err
		}
		again = false
		for some := range slices.Chunk(rows, most) {
			err := n.multi(ctx, slices.Concat(some...)...)
			changed := errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrNotEmpty)
			if err != nil && !changed {
				return err
			}
			again = again || changed
		}
	}
	return nil
}

// deletions are, for each row, those of its nodes in the order in which they are deleted.
func (n *nodes) deletions(ctx context.Context, layout string) ([][]any, error) {
	if err := n.sync(ctx); err != nil {
		return nil, err
	}
	keys, err := n.keys(ctx, func(of string) bool { return layout == "" || of == layout })
	if err != nil {
		return nil, err
	}
	rows := make([][]any, len(keys))
	return rows, textstore.Each(ctx, len(keys), func(i int) error {
		node := n.node(keys[i])
		marks, err := n.children(ctx, node)
		for _, mark := range marks {
			rows[i] = append(rows[i], &zk.DeleteRequest{Path: node + "/" + mark, Version: -1})
		}
		rows[i] = append(rows[i], &zk.DeleteRequest{Path: node, Version: -1})
		return err
	})
}
