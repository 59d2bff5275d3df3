package uid

import (
	"context"
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

// An assigner that panics on the goroutine which follows the lease, or ends it.
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
			case 3:
				panic("an assigner of one's own")
			}
			return granted(0, 1000)
		}), c)
		require.NoError(t, err)
		defer g.Close()
		first.lose(worker.ErrDeleted)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		assert.Equal(t, 4, asked)
		assert.EqualValues(t, 2, g.Stats().Leases)
		assert.EqualValues(t, 2, g.Stats().Faults)
		assert.Contains(t, log.String(), "panic=runtime.Goexit")
		assert.Contains(t, log.String(), `panic="an assigner of one's own"`)
	})
}

type releasing struct {
	*testLease
	panics bool
}

func (l releasing) Release(context.Context, int64) error {
	if l.panics {
		panic("a lease of one's own")
	}
	runtime.Goexit()
	return nil
}

// So does a lease when it is released: one that was replaced, and one at Close, which says so.
func TestAReleaseThatPanics(t *testing.T) {
	for _, panics := range []bool{true, false} {
		eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
			first := releasing{granted(0, 1000), panics}
			a := &answers{leases: []worker.Lease{first, releasing{granted(0, 1000), panics}},
				before: []func(){func() {}, func() {}}}
			g, err := open(a, testConfig())
			require.NoError(t, err)
			first.lose(worker.ErrDeleted)
			synctest.Wait()
			assert.EqualValues(t, 1, g.Stats().Faults)
			begin := time.Now()
			require.ErrorIs(t, g.Close(), errNotReleased)
			assert.Less(t, time.Since(begin), closeTime)
			assert.EqualValues(t, 2, g.Stats().Faults)
		})
	}
}
