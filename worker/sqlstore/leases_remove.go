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

// Unmake waits for writes that have read the namespace, and those behind it find none.
func (c catalog) Unmake(ctx context.Context, have store.Namespace) (bool, error) {
	return c.change(ctx, "deleting a namespace", have.Name,
		c.bind(`DELETE FROM uid_ns WHERE ns = ? AND first_worker = ? AND last_worker = ? AND epoch = ? AND floor_tick = ?`),
		have.Name, have.First, have.Last, have.Epoch, have.Floor)
}

// Sweep holds the record, as Make does: none of that name is made meanwhile.
func (c catalog) Sweep(ctx context.Context, was store.Namespace, space string) error {
	return c.transaction(ctx, func(ctx context.Context, h handle) error {
		records, err := texts(ctx, h, c.bind(`SELECT record FROM uid_space WHERE fingerprint = ?`)+c.forUpdate, was.Fingerprint)
		if err != nil || len(records) != 1 || records[0] != space {
			return err
		}
		there, err := texts(ctx, h, c.bind(`SELECT ns FROM uid_ns WHERE ns = ?`), was.Name)
		if err != nil || len(there) > 0 {
			return err
		}
		_, err = h.ExecContext(ctx, c.bind(`DELETE FROM uid_worker WHERE ns = ?`), was.Name)
		return err
	})
}
