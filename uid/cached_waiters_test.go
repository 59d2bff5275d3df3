package uid

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/worker"
)

func TestBatchesAndStreamsHeedTheirContext(t *testing.T) {
	inBubble(t, neverAgain(), func(t *testing.T, g *CachedGenerator) {
		take(t, g, 10)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		ids, err := g.AppendUIDsContext(ctx, nil, 100)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Len(t, ids, 6, "what there was")
		assert.Equal(t, time.Minute, time.Since(start))
		_, err = g.Stream().GetUIDContext(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// takers take beside each other, 40 times each in one of these ways, and each time have as
// many units as there are takers and times before them. It counts the ids, none of which
// may come twice.
func takers(t *testing.T, n int, unit time.Duration, ways ...func(context.Context) []ID) int64 {
	lists := make([][]ID, n)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			for k := range 40 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i*k)*unit)
				lists[i] = append(lists[i], ways[i%len(ways)](ctx)...)
				cancel()
			}
		})
	}
	wg.Wait()
	all := slices.Concat(lists...)
	slices.Sort(all)
	assert.Len(t, all, len(slices.Compact(slices.Clone(all))))
	return int64(len(all))
}

// one is a way to take an id at a time.
func one(take func(context.Context) (ID, error)) func(context.Context) []ID {
	return func(ctx context.Context) []ID {
		id, err := take(ctx)
		if err != nil {
			return nil
		}
		return []ID{id}
	}
}

// Takers of all kinds beside each other on a ring that is always empty, some of
// which give up: no id twice, none lost, nobody forgotten.
func TestManyWaitersOfAllKinds(t *testing.T) {
	for _, lag := range []time.Duration{0, -1} {
		c := liveClock(testConfig())
		c.Layout.Unit, c.Layout.TimeBits, c.MaxAhead = time.Millisecond, 45, time.Millisecond
		c.MaxLag = lag
		g := cached(t, worker.Static(1), c)
		all := takers(t, 40, 100*time.Microsecond, one(g.GetUIDContext),
			func(ctx context.Context) []ID {
				ids, _ := g.AppendUIDsContext(ctx, nil, 5)
				return ids
			}, one(func(context.Context) (ID, error) {
				id, err := g.GetUID()
				assert.NoError(t, err)
				return id, err
			}))
		if lag < 0 {
			assert.Equal(t, all, g.Stats().Taken)
		}
		// A take of a segment that pauses before its fetch-and-add may use up a later number.
		assert.GreaterOrEqual(t, g.Stats().Taken, all)
		assert.Empty(t, g.mint.queue.lead)
	}
}
