package uid

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// A backup is restored beside a live generator: what it still has is dropped, and it
// goes on above everything that may have been granted.
func TestAStoreThatWentBackInTime(t *testing.T) {
	leased(t, 1, func(t *testing.T, s *outage, a worker.Assigner) {
		mem := s.Store.(*memstore.Store)
		backup := mem.Snapshot()
		g := onStore(t, a)
		defer g.Close()
		old := take(t, g, 61*16) // all that is granted
		mem.Rollback(backup)
		assert.Zero(t, g.Stats().Rollbacks)
		time.Sleep(20 * time.Second) // until the floor can be had
		next := take(t, g, 100)
		synctest.Wait()
		assert.EqualValues(t, 1, g.Stats().Rollbacks)
		assert.EqualValues(t, 2, g.Stats().Leases)

		v, err := s.View(t.Context(), "default", 0, 0)
		require.NoError(t, err)
		first, err := g.ParseUID(next[0])
		require.NoError(t, err)
		last, err := g.ParseUID(old[len(old)-1])
		require.NoError(t, err)
		assert.GreaterOrEqual(t, first.Time.Unix(), v.Floor)
		assert.Greater(t, v.Floor, last.Time.Add(5*time.Second).Unix(), "and the slack")
	})
}
