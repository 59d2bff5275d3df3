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

// Delete deletes all at once: rows that were left would be taken for those of the next
// namespace of this name. The record of the layout tells of rows, too, that were made by an
// Init that did not come to its end.
func (c catalog) Delete(ctx context.Context, have store.Namespace) (bool, error) {
	text, err := c.Space(ctx, have.Fingerprint)
	if err != nil {
		return false, err
	}
	space, err := store.ParseSpace(text)
	if err != nil {
		return false, err
	}
	keys := []string{c.nsKey(have.Name), c.spaceKey(have.Fingerprint)}
	for _, r := range append(space.Given, store.Range{Namespace: have.Name, First: have.First,
		Last: have.Last}) {
		for id := r.First; r.Namespace == have.Name && id <= r.Last; id++ {
			keys = append(keys, c.rowKey(have.Name, id))
		}
	}
	answer, err := c.write(ctx, deleteScript, keys, []any{have.Seal(), have.Epoch, have.Floor, text})
	return answer == 1, err
}
