package uid

import (
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counters are what only grows.
func (s Stats) counters() map[string]int64 {
	return map[string]int64{
		"Leases": s.Leases, "Taken": s.Taken, "Waits": s.Waits, "Rejected": s.Rejected,
		"Refills":      s.Refills,
		"RejectedPuts": s.RejectedPuts, "Discarded": s.Discarded, "Dropped": s.Dropped,
		"Faults": s.Faults,
	}
}

// Whatever happens meanwhile, a reading is of one moment: counters never go down,
// and never run ahead of what was taken.
func TestCountersOnlyGrow(t *testing.T) {
	c := liveClock(testConfig())
	c.Layout.SeqBits, c.Layout.TimeBits = 9, 38
	g := cached(t, &testLease{id: 3, lo: math.MinInt64, hi: math.MaxInt64}, c)
	g.conf.spread = 0
	done := make(chan struct{})
	var takers, others sync.WaitGroup
	takers.Go(func() { take(t, g, 20_000) })
	takers.Go(func() { takeAll(t, g.Stream(), 20_000) })
	takers.Go(func() {
		for range 200 {
			_, err := g.AppendUIDs(nil, 100)
			assert.NoError(t, err)
		}
	})
	others.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
			if i%2 == 0 {
				g.AfterRestore()
			} else {
				g.flush()
			}
		}
	})
	for range 2 {
		others.Go(func() { pollCounters(t, g, done) })
	}
	takers.Wait()
	close(done)
	others.Wait()
	before := g.Stats()
	assert.GreaterOrEqual(t, before.Taken, int64(3*20_000))
	require.NoError(t, g.Close())
	after := g.Stats()
	assert.Equal(t, before.Taken, after.Taken)
	assert.GreaterOrEqual(t, after.Dropped, before.Dropped)
}

func pollCounters(t *testing.T, g *CachedGenerator, done <-chan struct{}) {
	last := g.Stats().counters()
	for {
		select {
		case <-done:
			return
		default:
		}
		now := g.Stats()
		for name, n := range now.counters() {
			if n < last[name] || n < 0 {
				t.Errorf("%s went from %d to %d", name, last[name], n)
				return
			}
		}
		if now.Left < 0 || now.Left > now.RingSize {
			t.Errorf("%d left in a ring of %d", now.Left, now.RingSize)
		}
		last = now.counters()
	}
}
