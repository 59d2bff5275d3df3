package uid

import (
	"context"
	"errors"
	"fmt"
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

// Whoever leads may leave: another one leads then, and knows no less.
func TestWhoeverLeadsPassesTheLeadOn(t *testing.T) {
	gone := errors.New("gone")
	defaultInBubble(t, worker.Static(3), testConfig(), func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 16)
		ctx, leave := context.WithCancelCause(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := g.GetUIDContext(ctx)
			assert.ErrorIs(t, err, gone)
			assert.ErrorIs(t, err, ErrTickFull)
		})
		synctest.Wait()
		wg.Go(func() {
			_, err := g.GetUIDContext(t.Context())
			assert.NoError(t, err)
			assert.Equal(t, time.Second, time.Since(bubbleStart))
		})
		synctest.Wait()
		leave(gone)
		wg.Wait()
	})
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

// Five seconds in which nobody gets an id are enough for those without a context, also
// where the take that waits for all has one.
func TestAWaitInVainIsAnError(t *testing.T) {
	l := &testLease{id: 7, lo: bubbleStart.Unix(), hi: bubbleStart.Unix()}
	defaultInBubble(t, l, testConfig(), func(t *testing.T, g *DefaultGenerator) {
		take(t, g, 1)
		time.Sleep(time.Second)
		ctx, leave := context.WithTimeout(t.Context(), time.Minute)
		defer leave()
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				if i == 0 {
					_, err := g.GetUIDContext(ctx)
					assert.ErrorIs(t, err, context.DeadlineExceeded)
					return
				}
				since := time.Now()
				_, err := g.GetUID()
				assert.ErrorIs(t, err, ErrGrantEnded)
				assert.ErrorContains(t, err, "nobody got an id for 5s")
				assert.Equal(t, 5*time.Second, time.Since(since))
			})
			synctest.Wait()
			time.Sleep(100 * time.Millisecond)
		}
		wg.Wait()
		assert.EqualValues(t, 4, g.Stats().Rejected)
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

// Takers of all kinds beside each other, always more than there are ids for, some of whom
// give up: no id twice, nobody forgotten.
func TestDefaultServesManyWhoWait(t *testing.T) {
	for _, procs := range []int{1, 2, 8} {
		t.Run(fmt.Sprint("GOMAXPROCS ", procs), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			c := liveClock(testConfig())
			c.Layout.Unit, c.Layout.TimeBits = time.Millisecond, 45
			g := trusting(t, worker.Static(1), c, 100*time.Microsecond)
			defer g.Close()
			var named atomic.Int64
			all := takers(t, 64, 50*time.Microsecond, one(g.GetUIDContext),
				func(ctx context.Context) []ID {
					ids, _ := g.AppendUIDsContext(ctx, nil, 20)
					return ids
				}, func(ctx context.Context) []ID {
					if _, err := g.GetUIDFor(ctx, "a"); err == nil {
						named.Add(1)
					}
					return nil
				}, one(func(context.Context) (ID, error) {
					id, err := g.GetUID()
					assert.NoError(t, err)
					return id, err
				}))
			// A call that stood still over a tick's end may cost one that nobody gets: see segment.
			assert.GreaterOrEqual(t, g.Stats().Taken, all+named.Load())
			g.each(func(s *sequence) {
				assert.Empty(t, s.queue.lead)
			})
		})
	}
}
