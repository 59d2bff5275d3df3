package soak

import (
	"context"
	"fmt"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Remove takes a soak's namespace away from its store when all processes have ended. Those
// that were killed may still hold a worker id.
func Remove(ctx context.Context, s worker.Store, namespace string) error {
	r, ok := s.(store.Remover)
	if !ok {
		return fmt.Errorf("%T removes no namespaces", s)
	}
	o := store.RemoveOptions{Held: true, Slack: worker.DefaultSlack}
	return r.Remove(ctx, namespace, o)
}
