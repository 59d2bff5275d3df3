package redisstore

import (
	"testing"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestClocks(t *testing.T) {
	leasetest.TestClocks(t, func(t *testing.T) (leasetest.Clocked, func() store.Store) {
		server, s := durable(t)
		return server, func() store.Store { return newRows(open(t, server.Addr()), s.o) }
	})
}
