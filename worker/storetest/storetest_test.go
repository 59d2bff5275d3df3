package storetest_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemstore(t *testing.T) {
	s := memstore.New()
	restarts := 0
	storetest.Run(t, func(*testing.T) store.Store { return s },
		storetest.WithRestart(func(*testing.T) {
			restarts++
			s.Restart(string(rune('A' + restarts)))
		}),
		storetest.WithHands(func(*testing.T, store.Store) storetest.Hands {
			return storetest.Hands{
				Catalog:       s.Catalog(),
				DropNamespace: s.DropNamespace,
				DropRow:       s.DropRow,
				DropSpace:     s.Forget,
				SetWindow: func(name string, window int64) {
					s.EditNamespace(name, func(n *store.Namespace) { n.Window = window })
				},
			}
		}))
}
