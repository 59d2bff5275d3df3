package zkstore

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/textstore"
)

const (
	// mostBytes of a request are well below the megabyte that servers take by default
	// (jute.maxbuffer): some 3,500 rows.
	mostBytes = 700 << 10

	// wholes is how often all rows are deleted in one transaction before that is given up.
	wholes = 10
)

// DeleteAll deletes rows in one transaction if they fit into one. It fails as a whole when a
// row was written meanwhile, and is sent again with that row's new mark. Where rows are
// written faster than that, they are deleted one by one in the end, which is as safe for each
// of them, but a process may take one of the last while the first are gone.
func (n *nodes) DeleteAll(ctx context.Context, layout string) error {
	for again, attempt := true, 0; again; attempt++ {
		rows, err := n.deletions(ctx, layout)
		if err != nil {
			return err
		}
		most := mostBytes
		if attempt >= wholes {
			most = 1 // one row
		}
		again = false
		for len(rows) > 0 {
			var ops []any
			for size := 0; size < most && len(rows) > 0; rows = rows[1:] {
				for _, path := range rows[0] {
					ops = append(ops, &zk.DeleteRequest{Path: path, Version: -1})
					size += len(path) + 17 // of its header
				}
			}
			_, err := n.multi(ctx, ops...)
			changed := errors.Is(err, zk.ErrNoNode) || errors.Is(err, zk.ErrNotEmpty)
			if err != nil && !changed {
				return err
			}
			again = again || changed
		}
	}
	return nil
}

// deletions are, for each row, the paths of its nodes in the order in which they are deleted.
func (n *nodes) deletions(ctx context.Context, layout string) ([][]string, error) {
	if err := n.sync(ctx); err != nil {
		return nil, err
	}
	keys, err := n.keys(ctx, func(of string) bool { return layout == "" || of == layout })
	if err != nil {
		return nil, err
	}
	rows := make([][]string, len(keys))
	return rows, textstore.Each(ctx, len(keys), func(i int) error {
		node := n.node(keys[i])
		marks, err := n.children(ctx, node)
		for _, mark := range marks {
			rows[i] = append(rows[i], node+"/"+mark)
		}
		rows[i] = append(rows[i], node)
		return err
	})
}
