package uid

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// Sixteen ids a second for hundreds who wait: each gets one in its turn, though most wait
// far longer than a take without a context waits for progress. A tick costs as many looks
// at the clock as it has ids, not as many as there are takes that wait.
func TestDefaultServesWhoWaitInTurn(t *testing.T) {
	const waiting = 500
	for name, longest := range map[string]time.Duration{"in segments": maxSegment, "singly": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var looks atomic.Int64
				c := testConfig()
				c.Now = func() time.Time {
					looks.Add(1)
					return time.Now()
				}
				g := trusting(t, worker.Static(3), c, longest)
				defer g.Close()
				take(t, g, 16)
				ids := make([]ID, waiting)
				var wg sync.WaitGroup
				for i := range ids {
					wg.Go(func() {
						var err error
						ids[i], err = g.GetUID()
						assert.NoError(t, err)
					})
					synctest.Wait() // it waits before the next one comes
				}
				looks.Store(0)
				wg.Wait()
				assert.True(t, slices.IsSorted(ids), "first come, first served")
				assert.Len(t, slices.Compact(ids), waiting)
				assert.EqualValues(t, 16+waiting, g.Stats().Taken, "no id was lost")
				assert.EqualValues(t, waiting, g.Stats().Waits)
				assert.Zero(t, g.Stats().Rejected)
				assert.Equal(t, 32*time.Second, time.Since(bubbleStart))
				assert.Less(t, looks.Load(), int64(6*waiting))
				assert.Empty(t, g.seq.queue.lead)
			})
		})
	}
}

// A take that waits behind others sees that they get ids, also if each takes its time and finds
// ids that were made before.
func TestIdsThatWereMadeBeforeAreProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := trusting(t, worker.Static(3), testConfig(), 0)
		defer g.Close()
		full := &block{err: ErrTickFull, changed: make(chan struct{})}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				assert.NoError(t, g.await(noContext, &g.seq.queue, full, func() *block {
					time.Sleep(progressTimeout * 3 / 5)
					return nil
				}))
			})
		}
		wg.Wait()
	})
}

// With one processor, who was served would go on, and take the rest of the tick.
func TestWhoWasServedLetsTheNextGoFirst(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const rounds = 60
	inTurn := 0 // but when the scheduler happens to prefer another
	for range rounds {
		synctest.Test(t, func(t *testing.T) {
			g := trusting(t, worker.Static(3), testConfig(), maxSegment)
			defer g.Close()
			take(t, g, 16)
			var ids [2][]ID
			var wg sync.WaitGroup
			for i := range ids {
				wg.Go(func() { ids[i] = take(t, g, 2) })
				synctest.Wait() // it waits before the next one comes
			}
			wg.Wait()
			if ids[1][0] < ids[0][1] {
				inTurn++
			}
		})
	}
	assert.Greater(t, inTurn, rounds/2)
}

// A clock's panic is for the take that asked it. The next in the queue asks then.
func TestAClockThatPanicsPassesTheLeadOn(t *testing.T) {
	var offset time.Duration
	var panicked bool
	c := testConfig()
	c.Now = func() time.Time {
		if !panicked && time.Since(bubbleStart) == 2*time.Second {
			panicked = true
			panic("mine")
		}
		return time.Now().Add(offset)
	}
	c.ClockBack = policy.WaitUpTo(time.Minute)
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 1)
		offset = -2 * time.Second
		var wg sync.WaitGroup
		wg.Go(func() { assert.PanicsWithValue(t, "mine", func() { _, _ = g.GetUID() }) })
		time.Sleep(time.Second)
		wg.Go(func() {
			_, err := g.GetUID()
			assert.NoError(t, err)
			assert.Equal(t, 2*time.Second, time.Since(bubbleStart))
		})
		wg.Wait()
		assert.True(t, panicked)
		assert.Empty(t, g.seq.queue.lead)
	})
}

// Takes that come later may be faster: as long as somebody gets ids, nobody waits in vain.
func TestProgressOfOthersIsWaitedFor(t *testing.T) {
	var offset atomic.Int64
	c := testConfig()
	c.Now = func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }
	defaultInBubble(t, worker.Static(3), c, func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := g.GetUID()
			assert.NoError(t, err)
			assert.Greater(t, time.Since(bubbleStart), 10*time.Second)
		})
		synctest.Wait()
		for range 40 {
			// The next tick begins, and is full before the one who waits looks: it looks when
			// a tick would have begun without this.
			time.Sleep(300 * time.Millisecond)
			offset.Add(int64(700 * time.Millisecond))
			take(t, g, 16)
		}
		wg.Wait()
	})
}
