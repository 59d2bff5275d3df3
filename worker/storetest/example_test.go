package storetest_test

import (
	"crypto/rand"
	"testing"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func ExampleRun() {
	// In a test of a store's own:
	TestStore := func(t *testing.T) {
		server := memstore.New() // a real server, of course
		restart := func(t *testing.T) { server.Restart(rand.Text()) }
		restart(t)
		storetest.Run(t, func(t *testing.T) store.Store { return server },
			storetest.WithRestart(restart))
	}
	_ = TestStore
}
