package redisstore

import (
	"context"
	"strconv"

	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover.
func (s *Store) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if err := store.Remove(ctx, s, catalog{s}, namespace, o); err != nil {
		return s.explain("removing "+strconv.Quote(namespace), err)
	}
	return nil
}

func (c catalog) Unmake(ctx context.Context, have store.Namespace) (bool, error) {
	answer, err := c.write(ctx, unmakeScript, []string{c.nsKey(have.Name)}, []any{have.Seal(), have.Epoch, have.Floor})
	return answer == 1, err
}

func (c catalog) Sweep(ctx context.Context, was store.Namespace, space string) error {
	for from := was.First; from <= was.Last; from += batch {
		keys := []string{c.nsKey(was.Name), c.spaceKey(was.Fingerprint)}
		for id := from; id <= min(was.Last, from+batch-1); id++ {
			keys = append(keys, c.rowKey(was.Name, id))
		}
		if answer, err := c.write(ctx, sweepScript, keys, []any{space}); err != nil || answer != 1 {
			return err
		}
	}
	return nil
}
