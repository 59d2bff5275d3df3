package sqlstore

import (
	"context"

	"github.com/ringuid/ringuid/worker/store"
)

// Remove is described at store.Remover. The user needs DELETE on uid_ns and uid_worker.
func (l *Leases) Remove(ctx context.Context, namespace string, o store.RemoveOptions) error {
	if err := store.Remove(ctx, l, catalog{l}, namespace, o); err != nil {
		return l.wrap("removing a namespace", err)
	}
	return nil
}

// Delete waits for writes that have read the namespace, and those behind it find none. The
// rows go in the same transaction: those that were left would be taken for the rows of
// the next namespace of this name.
func (c catalog) Delete(ctx context.Context, have store.Namespace) (deleted bool, err error) {
	err = c.transaction(ctx, func(ctx context.Context, h handle) error {
		if err := c.watch(ctx, h, c.Leases); err != nil {
			return err
		}
		if _, err := c.remember(ctx, h, have.Name, c.memory.Of(have.Name)); err != nil {
			return err
		}
		result, err := h.ExecContext(ctx, c.bind(`DELETE FROM uid_ns
WHERE ns = ? AND first_worker = ? AND last_worker = ? AND epoch = ? AND floor_tick = ?`),
			have.Name, have.First, have.Last, have.Epoch, have.Floor)
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		if deleted = rows > 0; err != nil || !deleted {
			return err
		}
		_, err = h.ExecContext(ctx, c.bind(`DELETE FROM uid_worker WHERE ns = ?`), have.Name)
		return err
	})
	if err != nil && c.bears(err, c.undone) {
		return false, nil
	}
	return deleted && err == nil, err
}
