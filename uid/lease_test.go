package uid

import (
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withLease runs a test with a cached generator on a lease, under a fake clock.
func withLease(t *testing.T, l *testLease, test func(t *testing.T, g *CachedGenerator)) {
	synctest.Test(t, func(t *testing.T) {
		g, err := NewCached(t.Context(), l, testConfig())
		require.NoError(t, err)
		defer g.Close()
		test(t, g)
	})
}

func granted(from, until int64) *testLease {
	return &testLease{id: 7, lo: bubbleStart.Unix() + from, hi: bubbleStart.Unix() + until}
}

func TestCachedMintsOnlyWhatIsGranted(t *testing.T) {
	l := granted(100, 102)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		assert.Equal(t, bubbleStart.Add(103*time.Second), g.Stats().GrantedUntil)
		ids := take(t, g, 3*16)
		got := seconds(t, ids)
		assert.EqualValues(t, 100, got[0], "behind whoever had the worker id before")
		assert.EqualValues(t, 102, got[47])
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrRingEmpty)
		assert.ErrorContains(t, err, "2000-01-01T00:01:43Z", "where the grant ends")
		assert.Equal(t, bubbleStart.Unix()+103, l.wanted)
	})
}

func TestATakeGoesOnWhenMoreIsGranted(t *testing.T) {
	l := granted(0, 0)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() {
				_, err := g.GetUIDContext(t.Context())
				assert.NoError(t, err)
			})
		}
		synctest.Wait()
		time.Sleep(time.Hour)
		l.set(func() { l.hi += 4000 })
		wg.Wait()
		assert.EqualValues(t, 48, g.Stats().Taken)
	})
}

// A store that cannot be reached, or a lease that merely expired, takes nothing
// back: what was granted is handed out, and then comes the error.
func TestWhatWasGrantedIsUsedUpWhenTheLeaseEnds(t *testing.T) {
	l := granted(0, 9)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		expired := errors.New("expired")
		l.set(func() { l.err = expired })
		synctest.Wait()
		take(t, g, 9*16)
		start := time.Now()
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.ErrorIs(t, err, expired)
		assert.Zero(t, time.Since(start), "nothing to wait for")
	})
}

// Fenced means that somebody else mints these ticks: what lies in the ring must
// not be handed out.
func TestAFencedLeaseFlushesTheRingAtOnce(t *testing.T) {
	l := granted(0, math.MaxInt32)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		assert.Positive(t, g.Stats().Left)
		l.set(func() { l.err = worker.ErrFenced })
		synctest.Wait()
		assert.Zero(t, g.Stats().Left)
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.ErrorIs(t, err, worker.ErrFenced)
		batch, err := g.AppendUIDs(nil, 10)
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.Empty(t, batch)
	})
}

func TestWaitersAreToldWhenTheLeaseIsLost(t *testing.T) {
	l := granted(0, 0)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		answer := make(chan error)
		go func() {
			_, err := g.GetUIDContext(t.Context())
			answer <- err
		}()
		synctest.Wait()
		l.set(func() { l.err = worker.ErrFenced })
		assert.ErrorIs(t, <-answer, ErrLeaseLost)
	})
}

func TestTheHighestTickEverPutIsReleased(t *testing.T) {
	l := granted(50, math.MaxInt32)
	withLease(t, l, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 1)
		require.NoError(t, g.Close())
		ticks := g.Stats().RingSize / 16
		assert.Equal(t, []int64{bubbleStart.Unix() + 50 + ticks - 1}, l.released)
	})
}
