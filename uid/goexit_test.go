package uid

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

// A reject-put handler that ends the padder's goroutine, as require does in a test, ends it once.
// Ids are as young as before.
func TestWhatEndsThePaddersGoroutine(t *testing.T) {
	var end atomic.Bool
	withPadder(t, func(c *settings, _ *testLease) {
		c.Layout.SeqBits, c.MaxLag = 3, 4*time.Second // all of the ring
		c.RejectPut = func(int64, time.Time) bool {
			if end.Swap(false) {
				runtime.Goexit()
			}
			return false
		}
	}, func(p padded) {
		fill(p.CachedGenerator)
		end.Store(true)
		p.take(4)
		p.sleep(time.Minute)
		require.False(t, end.Load(), "it was ended")
		assert.EqualValues(t, 1, p.Stats().Faults)
		assert.Equal(t, 1, p.lines("Goexit while making ids"))
		p.take(1)
		p.sleep(time.Minute)
		s := p.Stats()
		assert.True(t, s.Left == 0 || s.Ahead >= -5*time.Second, s.Ahead)
	})
}

// A lease or an assigner that ends the goroutine which follows the lease.
func TestWhatEndsTheFollowingGoroutine(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		first := granted(0, 1000)
		asked := 0
		c := testConfig()
		log := logTo(&c)
		g, err := open(assigner(func() worker.Lease {
			switch asked++; asked {
			case 1:
				return first
			case 2:
				runtime.Goexit()
			}
			return granted(0, 1000)
		}), c)
		require.NoError(t, err)
		defer g.Close()
		first.lose(worker.ErrDeleted)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, 3, asked)
		assert.EqualValues(t, 2, g.Stats().Leases)
		assert.EqualValues(t, 1, g.Stats().Faults)
		assert.Contains(t, log.String(), "ended the goroutine that follows the lease")
	})
}
