package storetest_test

import (
	"context"
	"crypto/rand"
	"testing"

	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hands are those of people at a memstore.
func hands(s *memstore.Store) storetest.Option {
	return storetest.WithHands(func(*testing.T, store.Store) storetest.Hands {
		return storetest.Hands{
			DeleteRow: func(layout string, worker int64) {
				s.Edit(layout, worker, func(*store.Row) bool { return false })
			},
			DeleteHead: s.DeleteHead,
			DeleteAll:  func() { s.Rollback(memstore.New()) },
		}
	})
}

func TestMemstore(t *testing.T) {
	s := &keyed{Store: memstore.New()}
	storetest.Run(t, func(*testing.T) store.Store { return s }, hands(s.Store),
		storetest.WithKeys(func(*testing.T, store.Store) int64 {
			s.key++
			return s.key
		}))
}

// keyed is a memstore beside the table of worker.Disposable, which has given out a key.
type keyed struct {
	*memstore.Store
	key int64
}

func (k *keyed) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	v, err := k.Store.View(ctx, p, first, last)
	v.Keys = k.key
	return v, err
}

// From its first Restart on, a memstore has heads.
func TestMemstoreWithHeads(t *testing.T) {
	s := memstore.New()
	restart := func(*testing.T) { s.Restart(rand.Text()) }
	restart(t)
	storetest.Run(t, func(*testing.T) store.Store { return s }, hands(s),
		storetest.WithRestart(restart))
}
