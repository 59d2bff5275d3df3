package zkstore

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/failover"
	"github.com/ringuid/ringuid/worker/store"
)

// Three servers go back to an older state. The leader that they elect then begins an epoch,
// which a client that has seen the later state takes for a later one still: unlike a server
// alone they refuse nobody, and holders have to notice by themselves.
func TestRestoredEnsemble(t *testing.T) {
	t.Parallel()
	c := testserver.ZooKeeperEnsemble(t, 3)
	restorable := func(t *testing.T) failover.Restorable {
		root := rand.Text()
		return failover.Restorable{
			Open: func() store.Store { return New(ways(t, impatient, c.Addrs()...).conn, Options{Root: root}) },
			Backup: func() (restore func()) {
				put := c.Backup()
				return func() { put() }
			},
		}
	}
	t.Run("under holders", func(t *testing.T) {
		assert.Empty(t, failover.RestoredUnderHolders(t, restorable(t)))
	})
	t.Run("while nobody looked", func(t *testing.T) {
		assert.NotEmpty(t, failover.RestoredWhileNobodyLooked(t, restorable(t), false), "or nothing is tested here")
		assert.Empty(t, failover.RestoredWhileNobodyLooked(t, restorable(t), true))
	})
}
