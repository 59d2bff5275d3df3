package redisstore

import (
	"testing"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestClocks(t *testing.T) {
	for name, test := range map[string]func(*testing.T, leasetest.Clocked, func() store.Store){
		"was ahead": leasetest.TestClockWasAhead, "jumps": leasetest.TestClockJumps,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, s := durable(t)
			test(t, server, func() store.Store { return newRows(open(t, server.Addr()), s.o) })
		})
	}
}
