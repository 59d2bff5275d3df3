package zkstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// Servers refuse who has seen more than they have, for ever. He says so; processes that start when
// the rows are deleted are served. What other backups do to rows is in etcdstore's tests.
func TestServersRestoredToAnOlderState(t *testing.T) {
	t.Parallel()
	server := testserver.ZooKeeper(t, testserver.Durable())
	open := func() store.Store { return New(open(t, server.Addr()), Options{}) }
	before, keep := open(), leasetest.Backup(server)
	play := leasetest.Rewind{Open: open, Crash: 3, Keep: func() func() {
		restore := keep()
		return func() {
			leasetest.View(t, before)
			restore()
		}
	}}
	play.Then = func(v store.View) {
		for range 3 {
			_, err := before.View(leasetest.Soon(t), leasetest.Pool, 0, 3)
			require.Error(t, err)
			assert.ErrorContains(t, err, "restored to an older state")
			assert.ErrorContains(t, err, "restart this process")
		}
		require.NoError(t, open().Delete(t.Context(), ""))
	}
	assert.Zero(t, play.Play(t))
}
