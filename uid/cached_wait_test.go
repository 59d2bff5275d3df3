package uid

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// starving returns a config whose ring runs empty after the ids of one second,
// until the next.
func starving(reject policy.RejectTake) Config {
	c := testConfig()
	c.MaxAhead = time.Nanosecond
	c.RejectTake = reject
	return c
}

// neverAgain returns a config whose ring runs empty after one tick, for an hour.
func neverAgain(reject policy.RejectTake) Config {
	c := starving(reject)
	c.Layout.Unit = time.Hour
	return c
}

func TestWaitIsTheDefaultAndGetsItsId(t *testing.T) {
	inBubble(t, starving(nil), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		start := time.Now()
		next := take(t, g, 1)
		assert.Equal(t, []int64{1}, seconds(t, next))
		assert.Equal(t, time.Second-time.Nanosecond, time.Since(start))
		assert.EqualValues(t, 1, g.Stats().Waits)
		assert.Zero(t, g.Stats().Rejected)
	})
}

// The five seconds are each take's own, whoever stands before it in line.
func TestTheFiveSecondsAreOfEachTake(t *testing.T) {
	for name, handler := range map[string]policy.RejectTake{"by default": nil,
		"with a handler": policy.Wait} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, neverAgain(handler), func(t *testing.T, g *CachedGenerator) {
				take(t, g, 16)
				ctx, cancel := context.WithCancel(t.Context())
				answers := make(chan error, 2)
				go func() {
					_, err := g.GetUIDContext(ctx)
					answers <- err
				}()
				time.Sleep(1234 * time.Millisecond)
				start := time.Now()
				_, err := g.GetUID()
				assert.ErrorIs(t, err, errPatience)
				assert.Equal(t, 5*time.Second, time.Since(start))
				time.Sleep(time.Minute)
				assert.Empty(t, answers, "this one has a context, which has not ended")
				cancel()
				assert.ErrorIs(t, <-answers, context.Canceled)
			})
		})
	}
}

// Whoever waits wakes a padder that sleeps without a timer.
func TestAnIdlePadderIsWokenByWhoWaits(t *testing.T) {
	var back atomic.Int64
	c := testConfig()
	c.AllowRepeats = false // nothing is minted before the clock has caught up
	c.Now = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		time.Sleep(time.Minute)
		take(t, g, 1)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		require.Zero(t, g.mint.used())
		back.Store(int64(20 * time.Second))
		_, err := g.GetUID()
		assert.ErrorIs(t, err, errPatience)
		_, err = g.GetUIDContext(t.Context())
		assert.NoError(t, err)
	})
}

// brokenLease panics when it is asked what it grants, or, once, when it is asked for a tick.
type brokenLease struct {
	*testLease
	broken atomic.Bool
	at     atomic.Int64 // this tick; 0: none
}

func (l *brokenLease) Assign(context.Context, worker.Need) (worker.Lease, error) { return l, nil }

func (l *brokenLease) Grant() (lo, hi int64) {
	if l.broken.Load() {
		panic("boom")
	}
	return l.testLease.Grant()
}

func (l *brokenLease) Want(tick int64) {
	if l.at.CompareAndSwap(tick, 0) {
		panic("boom")
	}
	l.testLease.Want(tick)
}

func TestALeaseThatPanicsKeepsNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &brokenLease{testLease: granted(0, 0)}
		g, err := NewCached(t.Context(), l, testConfig())
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 16)
		synctest.Wait()
		l.broken.Store(true)
		_, err = g.GetUID()
		assert.ErrorIs(t, err, errPatience)
		assert.Equal(t, 5*time.Second, time.Since(bubbleStart))
		l.broken.Store(false)
		l.set(func() { l.hi += 100 })
		take(t, g, 16)
	})
}

// And with the context: TestBatchesAndStreamsHeedTheirContext.
func TestWaitEndsWithTheGenerator(t *testing.T) {
	inBubble(t, neverAgain(nil), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		answer := make(chan error)
		for range 3 {
			go func() {
				_, err := g.GetUIDContext(context.Background())
				answer <- err
			}()
		}
		synctest.Wait()
		go g.Close()
		for range 3 {
			assert.ErrorIs(t, <-answer, ErrClosed)
		}
		assert.Zero(t, time.Since(bubbleStart))
	})
}

// In the original a handler that waits and returns never gets its id.
func TestAHandlerThatWaitsGetsItsId(t *testing.T) {
	var seen []policy.Reject
	handler := func(_ context.Context, r policy.Reject) error {
		seen = append(seen, r)
		time.Sleep(300 * time.Millisecond)
		return nil
	}
	inBubble(t, starving(handler), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		assert.Equal(t, []int64{1}, seconds(t, take(t, g, 1)))
		require.Len(t, seen, 4)
		assert.Zero(t, seen[0].Waited)
		assert.Equal(t, 900*time.Millisecond, seen[3].Waited)
		assert.ErrorIs(t, seen[3].Reason, ErrRingEmpty)
		assert.Zero(t, seen[3].Left)
	})
}

func TestAHandlerThatAlwaysTriesAgainMeetsTheFiveSeconds(t *testing.T) {
	handler := func(context.Context, policy.Reject) error {
		time.Sleep(time.Millisecond) // else the fake clock would stand still
		return nil
	}
	inBubble(t, neverAgain(handler), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		start := time.Now()
		_, err := g.GetUID()
		assert.ErrorIs(t, err, ErrRingEmpty)
		assert.InDelta(t, 5*time.Second, time.Since(start), float64(time.Millisecond),
			"the handler's last one began before")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = g.GetUIDContext(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// A handler may take with the context that it was given. The take that asked it comes after
// that one, though it has waited for longer.
func TestAHandlersOwnTakeComesFirst(t *testing.T) {
	var g *CachedGenerator
	c := testConfig()
	// an id a second, and none in store
	c.Layout.SeqBits, c.RingSize, c.MaxLag, c.MaxAhead = 0, 1, -1, time.Nanosecond
	asked := 0
	c.RejectTake = func(ctx context.Context, r policy.Reject) error {
		if asked++; asked > 1 {
			return policy.Wait(ctx, r)
		}
		g.Stats()
		_, err := g.GetUIDContext(ctx)
		return err
	}
	inBubble(t, c, func(t *testing.T, opened *CachedGenerator) {
		g = opened
		take(t, g, 1)
		begin := time.Now()
		_, err := g.GetUIDContext(t.Context())
		require.NoError(t, err)
		assert.Less(t, time.Since(begin), 3*time.Second)
		assert.EqualValues(t, 3, g.Stats().Taken)
	})
}

func TestAHandlersPanicIsTheAnswer(t *testing.T) {
	inBubble(t, neverAgain(func(context.Context, policy.Reject) error { panic("boom") }),
		func(t *testing.T, g *CachedGenerator) {
			take(t, g, 16)
			_, err := g.GetUID()
			assert.ErrorIs(t, err, ErrRingEmpty)
			assert.ErrorContains(t, err, "boom")
			assert.EqualValues(t, 1, g.Stats().Faults)
			time.Sleep(time.Hour)
			synctest.Wait()
			take(t, g, 16) // nothing is lost
		})
}
