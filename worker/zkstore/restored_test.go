package zkstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

// Servers refuse who has seen more than they have, for ever. He says so; a process
// that starts then is served.
func TestServersRestoredToAnOlderState(t *testing.T) {
	t.Parallel()
	server := testserver.ZooKeeper(t, testserver.Durable())
	s := New(open(t, server.Addr()), Options{})
	leasetest.Make(t, s)
	leasetest.View(t, s)
	server.Stop()
	restore := server.Snapshot()
	server.Start()
	leasetest.Write(t, s, leasetest.Acquisition(leasetest.View(t, s)))
	server.Stop()
	restore()
	server.Start()

	for range 3 {
		_, err := s.View(leasetest.Soon(t), leasetest.Pool, 0, 3)
		require.Error(t, err)
		assert.ErrorContains(t, err, "restored to an older state")
		assert.ErrorContains(t, err, "restart this process")
	}
	again := New(open(t, server.Addr()), Options{})
	assert.False(t, leasetest.View(t, again).Rows[0].Held, "the write is gone")
}
