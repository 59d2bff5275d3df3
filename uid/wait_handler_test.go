package uid

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownKey is under which the context of one take says that it is not like the others.
type ownKey struct{}

// A take whose handler answers early, or late, has its turn among 24 that are always in line, for
// 16 ids a second. Whoever was served may take the rest of a second's ids, if the scheduler lets it
// run first: then a turn takes a second, and the slow handler, which is told of its first turn in
// vain, has its second after 50.
func TestNoHandlerStarves(t *testing.T) {
	for name, own := range map[string]policy.RejectTake{
		"it looks at something else now and then": func(ctx context.Context, r policy.Reject) error {
			select {
			case <-r.Refilled:
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(170 * time.Millisecond):
			}
			return nil
		},
		"it is slow": func(ctx context.Context, r policy.Reject) error {
			defer time.Sleep(leastHold * 3 / 2)
			return policy.Wait(ctx, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, starving(func(ctx context.Context, r policy.Reject) error {
				if ctx.Value(ownKey{}) != nil {
					return own(ctx, r)
				}
				return policy.Wait(ctx, r)
			}), func(t *testing.T, g *CachedGenerator) {
				take(t, g, 16)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				others, stop := context.WithCancel(t.Context())
				var all sync.WaitGroup
				defer all.Wait()
				defer stop()
				for range 24 {
					all.Go(func() {
						for others.Err() == nil {
							_, _ = g.GetUIDContext(others)
						}
					})
				}
				synctest.Wait()
				_, err := g.GetUIDContext(context.WithValue(ctx, ownKey{}, true))
				assert.NoError(t, err)
			})
		})
	}
}

// One refill has ids for all, which slow handlers take one after the other.
func TestIdsThatOthersTakeAreProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, c := granted(0, 0), testConfig()
		c.Layout.WorkerBits, c.Layout.SeqBits, c.MaxLag, c.RingSize = 12, 14, -1, 1<<16
		c.RejectTake = func(ctx context.Context, r policy.Reject) error {
			defer time.Sleep(2 * time.Millisecond)
			return policy.Wait(ctx, r)
		}
		g, err := NewCached(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		_, err = g.AppendUIDs(nil, int(g.Stats().Left))
		require.NoError(t, err)
		var all sync.WaitGroup
		for range 6000 {
			all.Go(func() {
				_, err := g.GetUID()
				assert.NoError(t, err)
			})
		}
		synctest.Wait()
		l.set(func() { l.hi += 4 })
		all.Wait()
	})
}

// Five seconds without progress are counted from the last id that anybody got.
func TestPatienceBeginsAnewWithEachId(t *testing.T) {
	l, c := granted(0, 0), testConfig()
	c.Layout.SeqBits, c.MaxLag = 0, -1
	synctest.Test(t, func(t *testing.T) {
		g, err := NewCached(t.Context(), l, c)
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

// A handler may end its goroutine, as t.FailNow does.
func TestAHandlerThatEndsItsGoroutineLeavesTheLine(t *testing.T) {
	inBubble(t, starving(func(ctx context.Context, r policy.Reject) error {
		if ctx.Value(ownKey{}) != nil {
			_ = policy.Wait(ctx, r)
			runtime.Goexit()
		}
		return policy.Wait(ctx, r)
	}), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				ctx := t.Context()
				if i%2 == 0 {
					ctx = context.WithValue(ctx, ownKey{}, true)
				}
				_, err := g.GetUIDContext(ctx)
				assert.NoError(t, err)
			})
		}
		all.Wait()
		assert.Empty(t, g.line.lead)
	})
}

// The take whose handler answers at once has left the line before it could stand in it.
func TestAHandlerThatAnswersAtOnceLeavesTheLine(t *testing.T) {
	inBubble(t, neverAgain(policy.Fail), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		for range 300 {
			_, err := g.GetUID()
			require.ErrorIs(t, err, ErrRingEmpty)
		}
		synctest.Wait()
		assert.Empty(t, g.line.lead)
	})
}

// Its context tells a handler that the generator closes.
func TestAHandlerThatWaitsEndsWithTheGenerator(t *testing.T) {
	inBubble(t, neverAgain(func(ctx context.Context, _ policy.Reject) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		answer := make(chan error)
		go func() {
			_, err := g.GetUIDContext(context.Background())
			answer <- err
		}()
		synctest.Wait()
		require.NoError(t, g.Close())
		assert.ErrorIs(t, <-answer, ErrClosed)
	})
}

// A handler that was told that it is its turn, and does not answer, lets others go first.
func TestAHandlerThatDoesNotAnswerHoldsNobodyUp(t *testing.T) {
	inBubble(t, starving(func(ctx context.Context, r policy.Reject) error {
		if ctx.Value(ownKey{}) != nil {
			<-r.Refilled
			time.Sleep(time.Hour)
		}
		return policy.Wait(ctx, r)
	}), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 16)
		var slow sync.WaitGroup
		slow.Go(func() {
			_, err := g.GetUIDContext(context.WithValue(t.Context(), ownKey{}, true))
			assert.NoError(t, err)
		})
		synctest.Wait()
		take(t, g, 32)
		assert.Less(t, time.Since(bubbleStart), 4*time.Second)
		slow.Wait()
	})
}
