package uid

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// starving returns a config whose ring runs empty after the ids of one second,
// until the next.
func starving() settings {
	c := testConfig()
	c.MaxAhead = time.Nanosecond
	return c
}

// neverAgain returns a config whose ring runs empty after one tick, for an hour.
func neverAgain() settings {
	c := starving()
	c.Layout.Unit = time.Hour
	return c
}

func TestWaitIsTheDefaultAndGetsItsId(t *testing.T) {
	inBubble(t, starving(), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		start := time.Now()
		next := take(t, g, 1)
		assert.Equal(t, []int64{1}, seconds(t, next))
		assert.Equal(t, time.Second-time.Nanosecond, time.Since(start))
		assert.EqualValues(t, 1, g.Stats().Waits)
		assert.Zero(t, g.Stats().Rejected)
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
		g, err := newCached(t.Context(), l, testConfig())
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 16)
		synctest.Wait()
		l.broken.Store(true)
		_, err = g.GetUID()
		assert.ErrorIs(t, err, errNoProgress)
		assert.Equal(t, 5*time.Second, time.Since(bubbleStart))
		l.broken.Store(false)
		l.set(func() { l.hi += 100 })
		take(t, g, 16)
	})
}

// And with the context: TestBatchesAndStreamsHeedTheirContext.
func TestWaitEndsWithTheGenerator(t *testing.T) {
	inBubble(t, neverAgain(), func(t *testing.T, g *CachedGenerator) {
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

// In the original a handler that returns never gets its id. Here it is asked once, and the take
// then waits in the queue.
func TestAHandlerThatReturnsNilWaits(t *testing.T) {
	var reasons []error
	c := starving()
	c.RejectTake = func(reason error) error {
		reasons = append(reasons, reason)
		time.Sleep(300 * time.Millisecond)
		return nil
	}
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		assert.Equal(t, []int64{1}, seconds(t, take(t, g, 1)))
		require.Len(t, reasons, 1)
		assert.ErrorIs(t, reasons[0], ErrRingEmpty)
	})
}

func TestWhatAHandlerSaysIsTheAnswer(t *testing.T) {
	own := errors.New("its own")
	for name, handler := range map[string]policy.RejectTake{
		"its own error": func(error) error { return own },
		"a panic":       func(error) error { panic(own) },
	} {
		t.Run(name, func(t *testing.T) {
			c := neverAgain()
			c.RejectTake = handler
			inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
				take(t, g, 16)
				_, err := g.GetUID()
				assert.ErrorContains(t, err, own.Error())
				assert.Equal(t, name != "a panic", errors.Is(err, own))
				assert.Equal(t, name == "a panic", errors.Is(err, ErrRingEmpty))
				assert.Equal(t, name == "a panic", g.Stats().Faults == 1)
				assert.EqualValues(t, 1, g.Stats().Rejected)
				time.Sleep(time.Hour)
				synctest.Wait()
				take(t, g, 16) // nothing is lost
			})
		})
	}
}

// A handler may end its goroutine, as t.FailNow does.
func TestAHandlerThatEndsItsGoroutineHoldsNothing(t *testing.T) {
	c := starving()
	var asked atomic.Int64
	c.RejectTake = func(error) error {
		if asked.Add(1)%2 == 0 {
			runtime.Goexit()
		}
		return nil
	}
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				_, err := g.GetUID()
				assert.NoError(t, err)
			})
		}
		all.Wait()
		assert.Empty(t, g.mint.queue.lead)
	})
}

// Five seconds without progress are counted from the last id that anybody got.
func TestPatienceBeginsAnewWithEachId(t *testing.T) {
	l, c := granted(0, 0), testConfig()
	c.Layout.SeqBits, c.MaxLag = 0, -1
	synctest.Test(t, func(t *testing.T) {
		g, err := newCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		go func() { take(t, g, 1) }()
		synctest.Wait()
		time.AfterFunc(3*time.Second, func() { l.set(func() { l.hi += 3 }) })
		defer time.AfterFunc(time.Minute, func() { g.Close() }).Stop() // not for ever
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrRingEmpty)
		assert.Equal(t, 8*time.Second, time.Since(bubbleStart))
	})
}
