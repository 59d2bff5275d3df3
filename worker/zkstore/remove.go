package zkstore

import (
	"context"
	"errors"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/cancelable"
	"github.com/ringuid/ringuid/worker/internal/rowtext"
	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover. The nodes of the rows stay, two hundred bytes each,
// and say which unit they are counted in.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if err := store.Remove(ctx, s, catalog{s}, namespace, o); err != nil {
		return s.explain("removing "+strconv.Quote(namespace), err)
	}
	return nil
}

// Delete leaves the rows: the versions of a node that is made again begin at 0 again, and a
// late write to the one that was would meet the version that it expects.
func (c catalog) Delete(ctx context.Context, have store.Namespace) (bool, error) {
	n, version, err := c.namespace(ctx, have.Name)
	if errors.Is(err, store.ErrNoNamespace) {
		return false, nil
	}
	if err != nil || n != have {
		return false, err
	}
	if labelled, err := c.label(ctx, have, version); !labelled || err != nil {
		return false, err
	}
	_, err = cancelable.Call(ctx,
		func() (any, error) { return nil, c.conn.Delete(c.nsPath(have.Name), version) })
	if errors.Is(err, zk.ErrNoNode) {
		return false, nil
	}
	return unless(zk.ErrBadVersion, err)
}

// label has each row say which unit it is counted in. Those that were written last by a
// program older than that do not, and are in the namespace's as long as it is there, in this
// version. It is false when something has changed. Nothing else of a row changes, and
// somebody who is about to write it only has to read it again.
func (c catalog) label(ctx context.Context, n store.Namespace, version int32) (bool, error) {
	ops := []any{&zk.CheckVersionRequest{Path: c.nsPath(n.Name), Version: version}}
	for id := n.First; id <= n.Last; id++ {
		row, unit, at, err := c.stored(ctx, n.Name, id)
		if err == nil && unit == 0 {
			ops = append(ops, &zk.SetDataRequest{Path: c.rowPath(n.Name, id),
				Data: rowtext.RowIn(row, n.Unit), Version: at})
		}
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return false, err
		}
		if len(ops) <= batch && id < n.Last || len(ops) == 1 {
			continue
		}
		if err := c.multi(ctx, ops...); err != nil {
			if errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode) {
				return false, nil
			}
			return false, err
		}
		ops = ops[:1]
	}
	return true, nil
}
