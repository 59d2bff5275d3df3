package worker

import (
	"context"
	"fmt"

	"github.com/ringuid/ringuid/internal/notice"
	"github.com/ringuid/ringuid/worker/store"
)

// Release gives the row back, so that the next holder starts at once behind last.
func (k *keeper) Release(ctx context.Context, last int64) error {
	k.closing.Do(func() {
		k.cancel()
		<-k.done
		k.closed = k.release(ctx, last)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.h.spans = nil
		if k.h.lost == nil { // else that stays the reason
			k.h.lost = fmt.Errorf("%w: worker id %d", ErrReleased, k.h.worker)
		}
		k.publish()
	})
	notice.FlushSoon(k.c.Logger) // whoever closes may be about to exit
	return k.closed
}

func (k *keeper) release(ctx context.Context, last int64) error {
	// Thrice: a write that was under way when the lease was cancelled may land
	// between the view and the write, and a view may be older than that.
	for range 3 {
		v, err := k.c.view(ctx, k.store, k.h.worker, k.h.worker)
		if err != nil {
			return err
		}
		w, due := k.farewell(v, last)
		if !due {
			return nil
		}
		applied, err := k.c.write(ctx, k.store, w)
		k.mu.Lock()
		k.h.wrote(w, applied, err)
		k.mu.Unlock()
		if applied || err != nil {
			return err
		}
	}
	return errMissed
}

// farewell is the releasing write, or false when nothing is left to give back:
// the lease is lost, or such a write was applied and its answer is not known.
func (k *keeper) farewell(v store.View, last int64) (store.Write, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.h.lost == nil {
		k.see(v, nil)
	}
	if k.h.lost != nil || !v.Rows[0].Held && v.Rows[0].Nonce == k.h.nonce {
		return store.Write{}, false
	}
	return k.h.release(v, last, k.c.nonce()), true
}
