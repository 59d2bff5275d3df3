// Package memstore keeps worker ids in memory: for tests, and for generators of
// one process that must not share a worker id.
//
// Its class is Fenced among the generators that share the store, but not beyond the
// process.
package memstore

import (
	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker/store"
)

// New returns an empty store.
func New() store.Store { return memory.New() }
