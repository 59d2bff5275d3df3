package soak

import (
	"context"
	"sync"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// watchedStore tells of each write to it.
type watchedStore struct {
	worker.Store
	reporter

	mu   sync.Mutex
	held map[store.Nonce]bool // by the nonces of the last view: equal nonce, equal row
}

func (w *watchedStore) View(ctx context.Context, namespace string, first, last int64) (worker.View, error) {
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

func (w *watchedStore) Write(ctx context.Context, s store.Write) (bool, error) {
	w.mu.Lock()
	held := w.held[s.Expect[0]]
	w.mu.Unlock()
	w.tell(event{Kind: sent, Write: describe(s, held)})
	applied, err := w.Store.Write(ctx, s)
	answer := event{Kind: answered, Nonce: s.Nonce.String(), Applied: applied}
	if err != nil {
		answer.Error = err.Error()
	}
	w.tell(answer)
	return applied, err
}

func (w *watchedStore) Raise(ctx context.Context, r store.Raise) (bool, error) {
	w.tell(event{Kind: sent, Write: &write{Raise: true}})
	return w.Store.Raise(ctx, r)
}
