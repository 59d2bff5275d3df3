package soak

import (
	"context"
	"sync"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// witness is a store that tells of each write to it.
type witness struct {
	worker.Store
	*teller

	mu   sync.Mutex
	held map[store.Nonce]bool // by the nonces of the last view: equal nonce, equal row
}

func (w *witness) View(ctx context.Context, namespace string, first, last int64) (worker.View, error) {
	v, err := w.Store.View(ctx, namespace, first, last)
	if err != nil {
		return v, err
	}
	held := make(map[store.Nonce]bool, len(v.Rows))
	for _, row := range v.Rows {
		held[row.Nonce] = row.Held
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = held
	return v, nil
}

func (w *witness) Write(ctx context.Context, write store.Write) (bool, error) {
	w.mu.Lock()
	held := w.held[write.Expect[0]]
	w.mu.Unlock()
	w.tell(Event{Kind: Sent, Write: describe(write, held)})
	applied, err := w.Store.Write(ctx, write)
	answer := Event{Kind: Answered, Nonce: write.Nonce.String(), Applied: applied}
	if err != nil {
		answer.Error = err.Error()
	}
	w.tell(answer)
	return applied, err
}

func (w *witness) Raise(ctx context.Context, r store.Raise) (bool, error) {
	w.tell(Event{Kind: Sent, Write: &Write{Raise: true}})
	return w.Store.Raise(ctx, r)
}
