package etcdstore

import (
	"context"
	"errors"
	"strconv"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if err := store.Remove(ctx, s, catalog{s}, namespace, o); err != nil {
		return explain("removing "+strconv.Quote(namespace), err)
	}
	return nil
}

// Delete deletes the rows, too, for good: a late write compares their revisions, which never
// come again.
func (c catalog) Delete(ctx context.Context, have store.Namespace) (bool, error) {
	p, err := c.fetch(ctx, have.Name, 0, -1)
	if errors.Is(err, store.ErrNoNamespace) {
		return false, nil
	}
	if err != nil || p.ns != have {
		return false, err
	}
	answer, err := c.client.Txn(ctx).If(p.key.unchanged()...).
		Then(clientv3.OpDelete(p.key.key),
			clientv3.OpDelete(c.rowsKey(have.Name), clientv3.WithPrefix())).Commit()
	if err != nil {
		return false, err
	}
	return answer.Succeeded, nil
}
