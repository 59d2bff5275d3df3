package k8sstore

import (
	"context"
	"strconv"

	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover. It leaves the Leases, closed: the Role needs no verb
// to delete any, and the next Init with these worker ids finds in them what was granted.
// `kubectl delete leases -l ringuid.github.io/namespace=NAME` takes them away.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	err := s.usable(ctx)
	if err == nil {
		err = store.Remove(ctx, s, catalog{s}, namespace, o)
	}
	if err != nil {
		return s.explain("removing "+strconv.Quote(namespace), err)
	}
	return nil
}

// Delete takes the namespace out of the book, and then closes its rows. Where that breaks
// off, they are closed by the next Init that wants their worker ids. They stay: a late create
// of one could not be told from its maker's.
func (c catalog) Delete(ctx context.Context, have store.Namespace) (bool, error) {
	for deleted := false; !deleted; {
		b, err := c.book(ctx)
		if err != nil {
			return false, err
		}
		n, err := b.namespace(have.Name)
		if err != nil || n.Namespace != have || n.lifting > 0 { // which the next view ends
			return false, err
		}
		if deleted, err = c.change(ctx, b, map[string]string{keyNamespace + have.Name: ""}); err != nil {
			return false, err
		}
	}
	_, err := c.close(ctx, func() (rows []row, still bool, err error) {
		if rows, _, err = c.rowsOf(ctx, have.Name, have.First, have.Last); err != nil {
			return nil, false, err
		}
		b, err := c.book(ctx)
		if err != nil {
			return nil, false, err
		}
		_, made := b.data[keyNamespace+have.Name] // again, by an Init that closed them itself
		return rows, !made, nil
	})
	return err == nil, err
}
