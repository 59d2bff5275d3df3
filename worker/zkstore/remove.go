package zkstore

import (
	"context"
	"errors"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/ringuid/ringuid/worker/internal/await"
	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover. The nodes of the rows stay, a hundred bytes each.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if err := store.Remove(ctx, s, catalog{s}, namespace, o); err != nil {
		return s.explain("removing "+strconv.Quote(namespace), err)
	}
	return nil
}

func (c catalog) Unmake(ctx context.Context, have store.Namespace) (bool, error) {
	n, version, err := c.namespace(ctx, have.Name)
	if errors.Is(err, store.ErrNoNamespace) {
		return false, nil
	}
	if err != nil || n != have {
		return false, err
	}
	_, err = await.Call(ctx, func() (any, error) { return nil, c.conn.Delete(c.nsPath(have.Name), version) })
	if errors.Is(err, zk.ErrNoNode) {
		return false, nil
	}
	return unless(zk.ErrBadVersion, err)
}

// Sweep deletes nothing: the versions of a node that is made again begin at 0 again, and a
// late write to the one that was would meet the version that it expects.
func (c catalog) Sweep(ctx context.Context, _ store.Namespace, _ string) error {
	return context.Cause(ctx)
}
