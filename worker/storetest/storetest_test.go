package storetest_test

import (
	"crypto/rand"
	"testing"

	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hands are those of people at a memory.
func hands(s *memory.Store) storetest.Options {
	return storetest.Options{Hands: func(*testing.T, store.Store) storetest.Hands {
		return storetest.Hands{
			DeleteRow: func(layout string, worker int64) {
				s.Edit(layout, worker, func(*store.Row) bool { return false })
			},
			DeleteHead: s.DeleteHead,
			DeleteAll:  func() { s.Rollback(memory.New()) },
		}
	}}
}

// headed are the options of a memstore that has heads, as it has from its first Restart on.
func headed(s *memory.Store) storetest.Options {
	o := hands(s)
	o.Restart = func(*testing.T) { s.Restart(rand.Text()) }
	o.Restart(nil)
	return o
}

func TestMemstore(t *testing.T) {
	s := memory.New()
	storetest.Run(t, func(*testing.T) store.Store { return s }, hands(s))
}

func TestMemstoreWithHeads(t *testing.T) {
	s := memory.New()
	storetest.Run(t, func(*testing.T) store.Store { return s }, headed(s))
}

// What the example shows is a store, as the suite for all stores says.
func TestTheStoreOfTheExample(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return &Table{rows: map[Key]store.Row{}} },
		storetest.Options{})
}
