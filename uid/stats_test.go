package uid

import (
	"math"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
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
	g := cached(t, worker.Static(3), c)
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

// Lag is that of the oldest id there is, in the ring or in what is held in front of it.
func TestTheLagIsAlsoOfWhatIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		c.Layout, c.MaxLag = lagLayouts["seconds"], -1
		l := granted(0, 8)
		g, err := NewCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		s := g.Stream()
		assert.Equal(t, -time.Second, g.Stats().Lag, "nothing is held yet")
		takeAll(t, s, 1000) // they end within a span
		_, err = g.AppendUIDs(nil, 3*8192)
		require.NoError(t, err)
		younger := g.Stream()
		takeAll(t, younger, 1)
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 59*time.Second, g.Stats().Lag, "those of the first second are held")
		assert.Equal(t, -56*time.Second, g.Stats().Ahead, "and the ring's are of the fourth")

		for g.mint.used() > 0 {
			_, _, err := g.span(noContext, math.MaxInt)
			require.NoError(t, err)
		}
		assert.Equal(t, 59*time.Second, g.Stats().Lag, "the ring is empty")
		runtime.KeepAlive(s)
		runtime.KeepAlive(younger)
		g.flush()
		assert.Zero(t, g.Stats().Lag, "nothing from before a flush is handed out")
	})
}

// A stream that nobody has any more holds nothing, and takes no room.
func TestStreamsThatAreGarbageAreForgotten(t *testing.T) {
	c := testConfig()
	c.MaxLag = -1
	g := cached(t, worker.Static(3), liveClock(c))
	takeAll(t, g.Stream(), 2) // the second span is of two
	require.Less(t, g.oldestHeld(), int64(math.MaxInt64))
	runtime.GC()
	assert.Equal(t, int64(math.MaxInt64), g.oldestHeld())
	for range 100 {
		for range 100 {
			g.Stream()
		}
		runtime.GC()
	}
	assert.Less(t, len(g.streams.all), 1000)
}
