package namespaces

import (
	"context"

	"github.com/ringuid/ringuid/worker/store"
)

// Counted is the record of a layout with one more change counted. Make writes it in place of
// the record that it was called with.
func Counted(space string) (string, error) {
	s, err := store.ParseSpace(space)
	s.Changes++
	return s.Text(), err
}

// Claim writes the record Counted, and is false when it is no more space. A Make that creates
// its rows one after the other does so before the first, and creates them only as long as
// the record is that: so any other Init that has found the same rows missing begins
// again, before or after.
func Claim(ctx context.Context, c store.Catalog, fingerprint, space string) (claimed string,
	sole bool, err error) {
	if claimed, err = Counted(space); err == nil {
		sole, err = c.ReplaceSpace(ctx, fingerprint, space, claimed)
	}
	return claimed, sole, err
}
