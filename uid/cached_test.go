package uid

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

func TestABatchMayExceedTheRing(t *testing.T) {
	inBubble(t, testConfig(), func(t *testing.T, g *CachedGenerator) {
		n := int(g.Stats().RingSize)*5 + 3
		head := []ID{1, 2}
		ids, err := g.AppendUIDs(head, n)
		require.NoError(t, err)
		require.Len(t, ids, n+2)
		assert.Equal(t, head, ids[:2])
		assert.True(t, slices.IsSorted(ids[2:]))
		assert.Len(t, slices.Compact(ids[2:]), n)

		few, err := g.AppendUIDsContext(over(), nil, maxBatch)
		require.ErrorIs(t, err, context.Canceled)
		assert.LessOrEqual(t, cap(few), 2*grownAtOnce, "a number that was mistyped takes no memory")
	})
}

// Baidu's 8, 89, 44: after idling ids carry the time of long ago, and are never brought
// back to the clock.
func TestQuietHoursIdsFollowTheClockAgain(t *testing.T) {
	inBubble(t, testConfig(), func(t *testing.T, g *CachedGenerator) {
		ahead := take(t, g, 10_000)
		assert.Greater(t, seconds(t, ahead[9_999:])[0], int64(600), "borrowed")
		time.Sleep(time.Hour)
		synctest.Wait()
		ids := take(t, g, 1)
		assert.InDelta(t, 3600, seconds(t, ids)[0], 2, "a tick and MaxLag")
		assert.Greater(t, ids[0], ahead[9_999])
		assert.GreaterOrEqual(t, g.Stats().Ahead, -time.Second)
	})
}

// Baidu's 100, 29: the cached generator goes on with negative ids, without an error.
func TestTimeRunsOutWhileRunningCached(t *testing.T) {
	c := testConfig()
	c.Layout.TimeBits = 17 // 36 hours: 12 are left at the bubble's start
	c.Layout.Epoch = bubbleStart.Add(-24 * time.Hour)
	left := 1<<17 - 24*3600
	log := logTo(&c)
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		ids, err := g.AppendUIDs(nil, left*16+1)
		require.ErrorIs(t, err, ErrTimeOver, "borrowed to the end within no time")
		assert.Len(t, ids, left*16, "all ids of all ticks")
		assert.True(t, slices.IsSorted(ids))
		assert.Positive(t, ids[0])
		p, err := g.ParseUID(ids[len(ids)-1])
		require.NoError(t, err)
		assert.EqualValues(t, 1<<17-1, p.Tick, "the last tick is used")

		id, err := g.GetUID()
		assert.ErrorIs(t, err, ErrTimeOver)
		assert.ErrorContains(t, err,
			"ends at 2000-01-01T12:24:32Z (the clock shows 2000-01-01T00:00:00Z)")
		assert.Zero(t, id)
		_, err = g.GetUIDContext(t.Context())
		assert.ErrorIs(t, err, ErrTimeOver)
		synctest.Wait()
		assert.Contains(t, log.String(), "time is over")
	})
}

// liveClock makes testConfig fit for tests outside of a bubble.
func liveClock(c settings) settings {
	c.Layout.TimeBits, c.Layout.WorkerBits = 40, 5
	return c
}

// listsFromMany takes each ids from every goroutine, one by one and in batches, and
// requires that each goroutine's grow.
func listsFromMany(t *testing.T, g *CachedGenerator, goroutines, each int) [][]ID {
	lists := make([][]ID, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			ids := make([]ID, 0, each)
			for len(ids) < each {
				var err error
				if i%2 == 0 {
					ids, err = g.AppendUIDs(ids, min(100, each-len(ids)))
				} else {
					var id ID
					id, err = g.GetUID()
					ids = append(ids, id)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
			if !slices.IsSorted(ids) {
				t.Error("a goroutine's ids do not grow")
			}
			lists[i] = ids
		})
	}
	wg.Wait()
	return lists
}

// takeFromMany requires of those ids that no two are equal.
func takeFromMany(t *testing.T, g *CachedGenerator, goroutines, each int) {
	all := slices.Concat(listsFromMany(t, g, goroutines, each)...)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), goroutines*each, "duplicates")
}

// A hundred million ids from eight goroutines, with the padder at work: each bit
// of the map is one (tick, sequence). The race detector watches four millions.
func TestAHundredMillionIdsAreUnique(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 100 million ids; run without -short")
	}
	const goroutines = 8
	each := underRace(12_500_000, 100_000)
	layout := Layout{Epoch: DefaultLayout().Epoch, Unit: time.Second, TimeBits: 45, WorkerBits: 5,
		SeqBits: 13}
	g := cached(t, worker.Static(1), settings{Layout: layout, Logger: testConfig().Logger,
		AllowRepeats: true, MaxLag: -1})

	ids := slices.Concat(listsFromMany(t, g, goroutines, each)...)
	require.Len(t, ids, goroutines*each)

	first, last := slices.Min(ids), slices.Max(ids)
	// without the worker bits
	index := func(id ID) int64 { return int64(id)>>18<<13 | int64(id)&(1<<13-1) }
	seen := make([]uint64, (index(last)-index(first))/64+1)
	for _, id := range ids {
		i := index(id) - index(first)
		if seen[i/64]>>(i%64)&1 == 1 {
			t.Fatalf("id %d was given twice", id)
		}
		seen[i/64] |= 1 << (i % 64)
	}
	taken := g.Stats().Taken
	assert.GreaterOrEqual(t, taken, int64(goroutines*each))
	assert.LessOrEqual(t, taken, int64(goroutines*each)+g.mint.ring.Spoilt(), "with those nobody got")
}

func TestAfterCloseEveryTakeIsRefused(t *testing.T) {
	l := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
	g := cached(t, l, liveClock(ringConfig()))
	ids, err := g.AppendUIDs(nil, 100)
	require.NoError(t, err)
	require.NoError(t, g.Close())
	require.NoError(t, g.Close(), "twice")

	_, err = g.GetUID()
	assert.ErrorIs(t, err, ErrClosed)
	_, err = g.GetUIDContext(t.Context())
	assert.ErrorIs(t, err, ErrClosed)
	none, err := g.AppendUIDs(nil, 5)
	assert.ErrorIs(t, err, ErrClosed)
	assert.Empty(t, none)
	_, err = g.ParseUID(ids[0])
	assert.NoError(t, err, "parsing needs no worker id")

	s := g.Stats()
	assert.EqualValues(t, 100, s.Taken)
	assert.Zero(t, s.Left)
	require.Len(t, l.released, 1, "once")
	assert.Equal(t, s.LastTick.Unix(), l.released[0],
		"the highest tick put into the ring, not the last one taken")
	last, err := g.ParseUID(ids[99])
	require.NoError(t, err)
	assert.Greater(t, l.released[0], last.Time.Unix())
}

func TestTakesAllocateNothing(t *testing.T) {
	g := cached(t, worker.Static(1),
		liveClock(settings{Layout: Layout{Epoch: testLayout.Epoch, Unit: time.Second, SeqBits: 16},
			Logger: testConfig().Logger}))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := g.GetUID(); err != nil {
			t.Fatal(err)
		}
	}))
	ids := make([]ID, 0, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := g.AppendUIDs(ids, 64); err != nil {
			t.Fatal(err)
		}
	}))
}

// MaxAhead is for worker ids that are fenced: the next start of one that is not would repeat what
// was borrowed.
func TestAWorkerIdThatIsNotFencedBorrowsNothing(t *testing.T) {
	c := testConfig()
	c.AllowRepeats, c.MaxAhead = false, time.Minute
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		for second := range int64(3) {
			time.Sleep(time.Second)
			synctest.Wait()
			for range 16 {
				id, err := g.GetUIDContext(over())
				require.NoError(t, err)
				require.Equal(t, []int64{second + 1}, seconds(t, []ID{id}))
			}
			_, err := g.GetUIDContext(over())
			require.ErrorIs(t, err, ErrAhead)
		}
	})
}
