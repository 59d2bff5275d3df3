package storetest_test

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// In a test of a store's own:
func ExampleRun() {
	TestStore := func(t *testing.T) {
		server := memstore.New() // a real server, of course
		restart := func(t *testing.T) { server.Restart(rand.Text()) }
		restart(t)
		storetest.Run(t, func(t *testing.T) store.Store { return server },
			storetest.WithRestart(restart))
	}
	passed := testing.RunTests(func(pat, str string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestStore", F: TestStore}})
	fmt.Println(passed)
	// Output: true
}
