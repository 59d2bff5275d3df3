package redisstore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// A backup is restored under holders that live, that are cut off, and that were killed.
func TestRestoredUnderHolders(t *testing.T) {
	t.Parallel()
	play := func(t *testing.T) leasetest.Rewind {
		server, s := durable(t)
		return leasetest.Rewind{Keep: leasetest.Backup(server), Crash: 1, CutOff: 1,
			Open: func() store.Store { return newRows(open(t, server.Addr()), s.o) },
			Then: forge(t, server)}
	}
	t.Run("the floor rises", func(t *testing.T) {
		p := play(t)
		p.Then = nil
		assert.Zero(t, p.Play(t))
	})
	t.Run("the floor does not rise", func(t *testing.T) {
		p := play(t)
		p.Crash, p.CutOff = 3, 0 // or they would see that rows went back in time
		assert.NotZero(t, p.Play(t), "the test above could find nothing")
	})
}
