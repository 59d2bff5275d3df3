package storetest_test

import (
	"testing"

	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// What the example shows is a store, as the suite for all stores says.
func TestTheStoreOfTheExample(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return &Table{rows: map[Key]store.Row{}} },
		storetest.Options{})
}
