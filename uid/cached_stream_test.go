package uid

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// An outage is no reason to ask for more: a hundred streams would come back from it with
// 256 ids each.
func TestTakesThatFailDoNotMakeAStreamAskForMore(t *testing.T) {
	c := testConfig()
	c.Layout.SeqBits, c.MaxAhead, c.RejectTake = 9, 1, policy.Fail
	inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
		_, err := g.AppendUIDs(nil, 1<<20)
		require.ErrorIs(t, err, ErrRingEmpty)
		s := g.Stream()
		for range 12 {
			_, err := s.GetUID()
			require.ErrorIs(t, err, ErrRingEmpty)
		}
		time.Sleep(time.Second)
		was := g.Stats().Taken
		takeAll(t, s, 1)
		assert.EqualValues(t, 1, g.Stats().Taken-was)
	})
}

// taker is what hands out ids: a generator or a stream.
type taker interface{ GetUID() (ID, error) }

func takeAll(t testing.TB, s taker, n int) (ids []ID) {
	for range n {
		id, err := s.GetUID()
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

// What is left in a stream when the generator closes, or when the lease is fenced, is not handed
// out. Nor is what has become too old: TestHeldSpansFollowTheClockThroughAPause.
func TestSpansThatAreHeldBecomeStale(t *testing.T) {
	c := testConfig()
	c.Layout.SeqBits, c.OnLeaseLost = 9, policy.GiveUp // 512 ids, spans of 256
	t.Run("close", func(t *testing.T) {
		inBubble(t, c, func(t *testing.T, g *CachedGenerator) {
			s := g.Stream()
			takeAll(t, s, 3)
			require.NoError(t, g.Close())
			_, err := s.GetUID()
			assert.ErrorIs(t, err, ErrClosed)
		})
	})
	t.Run("fenced", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := granted(0, math.MaxInt32)
			g, err := newCached(t.Context(), l, c)
			require.NoError(t, err)
			defer g.Close()
			s := g.Stream()
			takeAll(t, s, 3)
			l.set(func() { l.err = worker.ErrFenced })
			synctest.Wait()
			_, err = s.GetUID()
			assert.ErrorIs(t, err, ErrLeaseLost)
		})
	})
}

// The last number that was ever put is stale, too.
func TestTheLastIdOfAllBecomesStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, err := newCached(t.Context(), granted(0, 0), testConfig())
		require.NoError(t, err)
		defer g.Close()
		s := g.Stream()
		takeAll(t, s, 15)
		require.Equal(t, s.next, s.last, "one is held")
		g.flush()
		_, err = s.GetUID()
		assert.ErrorIs(t, err, ErrGrantEnded)
	})
}

// Many goroutines, streams, batches and single takes beside each other, while
// GOMAXPROCS changes: no id twice, none lost. Where they pause, they come to the ring at the
// moments at which the last old ids are dropped. The context bounds the start alone, and is
// over when ids are taken.
func TestEveryWayToTakeIsUniqueWhileGOMAXPROCSChanges(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	seconds, idle := liveClock(testConfig()), testConfig()
	seconds.Layout.TimeBits, seconds.Layout.SeqBits = 35, 12
	idle.Layout, idle.ScheduleInterval = SnowflakeLayout(), 10*time.Millisecond
	for pause, c := range map[time.Duration]settings{0: seconds, time.Millisecond / 2: idle} {
		ctx, cancel := context.WithCancel(t.Context())
		g, err := newCached(ctx, worker.Static(1), c)
		require.NoError(t, err)
		cancel()
		const goroutines, each = 12, 60_000
		lists := make([][]ID, goroutines)
		var wg sync.WaitGroup
		for i := range lists {
			wg.Go(func() {
				stream := g.Stream()
				for len(lists[i]) < each {
					if n := len(lists[i]); n%1200 == 0 {
						time.Sleep(time.Duration(n/1200%20+i) * pause)
					}
					var err error
					var id ID
					switch i % 3 {
					case 0:
						id, err = stream.GetUID()
						lists[i] = append(lists[i], id)
					case 1:
						lists[i], err = g.AppendUIDs(lists[i], 60)
					default:
						id, err = g.GetUID()
						lists[i] = append(lists[i], id)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
				assert.True(t, slices.IsSorted(lists[i]), "what a goroutine takes in one way increases")
			})
		}
		for _, procs := range []int{1, 8, 100, 3, 64, 2} {
			runtime.GOMAXPROCS(procs)
			for range 100 {
				runtime.Gosched()
			}
		}
		wg.Wait()
		all := slices.Concat(lists...)
		slices.Sort(all)
		require.Len(t, slices.Compact(all), goroutines*each)
		if pause > 0 {
			assert.Positive(t, g.Stats().Dropped)
		}
		require.NoError(t, g.Close())
	}
}

// Nothing of the layout's end spills into another field, in whatever order these are.
func TestTheHighestIdsOfALayoutComeFromAStreamToo(t *testing.T) {
	c := testConfig()
	c.Layout = Layout{Epoch: bubbleStart.Add(-(1<<10 - 4) * time.Second), Unit: time.Second,
		TimeBits: 10, WorkerBits: 49, SeqBits: 4}
	for _, c.Layout.Order = range allOrders {
		t.Run(c.Layout.Order.letters(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, err := newCached(t.Context(), worker.Static(c.Layout.MaxWorker()), c)
				require.NoError(t, err)
				defer g.Close()
				s := g.Stream()
				ids := takeAll(t, s, 4*16)
				_, err = s.GetUID()
				require.ErrorIs(t, err, ErrTimeOver)
				for _, id := range ids {
					require.GreaterOrEqual(t, id, ID(0))
					p, err := g.ParseUID(id)
					require.NoError(t, err)
					require.Equal(t, c.Layout.MaxWorker(), p.Worker)
				}
				assert.Equal(t, ID(math.MaxInt64), ids[len(ids)-1])
				slices.Sort(ids)
				assert.Equal(t, len(ids), len(slices.Compact(ids)))
			})
		})
	}
}

// A stream hands out what it has, whichever way it is asked.
func TestAStreamThatIsTakenFromWithAContext(t *testing.T) {
	inBubble(t, ringConfig(), func(t *testing.T, g *CachedGenerator) {
		s := g.Stream()
		first := takeAll(t, s, 1)[0]
		for i := range ID(14) {
			id, err := s.GetUIDContext(t.Context())
			require.NoError(t, err)
			require.Equal(t, first+i+1, id)
		}
		assert.LessOrEqual(t, g.Stats().Taken, int64(16))
	})
}
