package uid

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// holders are what holds ids in front of the ring: a stream, and the CPUs with
// Config.Relaxed.
var holders = map[string]func(*CachedGenerator) taker{
	"stream":  func(g *CachedGenerator) taker { return g.Stream() },
	"relaxed": func(g *CachedGenerator) taker { return g },
}

func takeAll(t testing.TB, s taker, n int) (ids []ID) {
	for range n {
		id, err := s.GetUID()
		require.NoError(t, err)
		ids = append(ids, id)
	}
	return ids
}

// What a stream or a CPU holds when the generator closes, or when the lease is fenced, is
// not handed out. Nor is what has become too old: TestHeldSpansFollowTheClockThroughAPause.
func TestSpansThatAreHeldBecomeStale(t *testing.T) {
	for name, open := range holders {
		config := func() Config {
			c := testConfig()
			c.Layout.SeqBits = 9 // 512 ids, spans of 256
			c.Relaxed = name == "relaxed"
			c.OnLeaseLost = policy.GiveUp
			return c
		}
		t.Run(name+"/close", func(t *testing.T) {
			inBubble(t, config(), func(t *testing.T, g *CachedGenerator) {
				s := open(g)
				takeAll(t, s, 3)
				require.NoError(t, g.Close())
				_, err := s.GetUID()
				assert.ErrorIs(t, err, ErrClosed)
			})
		})
		t.Run(name+"/fenced", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := granted(0, math.MaxInt32)
				g, err := NewCached(t.Context(), l, config())
				require.NoError(t, err)
				defer g.Close()
				s := open(g)
				takeAll(t, s, 3)
				l.set(func() { l.err = worker.ErrFenced })
				synctest.Wait()
				_, err = s.GetUID()
				assert.ErrorIs(t, err, ErrLeaseLost)
			})
		})
	}
}

// Many goroutines, streams, batches and single takes beside each other, while
// GOMAXPROCS changes: no id twice, none lost.
func TestRelaxedIsUniqueWhileGOMAXPROCSChanges(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c := liveClock(testConfig())
	c.Layout.TimeBits, c.Layout.SeqBits, c.Relaxed = 35, 12, true
	g := cached(t, worker.Static(1), c)
	const goroutines, each = 12, 60_000
	lists := make([][]ID, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			stream := g.Stream()
			for len(lists[i]) < each {
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
}

// Nothing of the layout's end spills into another field, in whatever order these are.
func TestTheHighestIdsOfALayoutComeFromAStreamToo(t *testing.T) {
	c := testConfig()
	c.Layout = Layout{Epoch: bubbleStart.Add(-(1<<10 - 4) * time.Second), Unit: time.Second,
		TimeBits: 10, WorkerBits: 49, SeqBits: 4}
	for _, c.Layout.Order = range allOrders {
		for name, open := range holders {
			t.Run(name+" "+c.Layout.Order.letters(), func(t *testing.T) {
				c.Relaxed = name == "relaxed"
				synctest.Test(t, func(t *testing.T) {
					g, err := NewCached(t.Context(), worker.Static(c.Layout.MaxWorker()), c)
					require.NoError(t, err)
					defer g.Close()
					s := open(g)
					var ids []ID
					for {
						id, err := s.GetUID()
						if err != nil {
							require.ErrorIs(t, err, ErrTimeOver)
							break
						}
						require.GreaterOrEqual(t, id, ID(0))
						ids = append(ids, id)
					}
					for _, id := range ids {
						p, err := g.ParseUID(id)
						require.NoError(t, err)
						require.Equal(t, c.Layout.MaxWorker(), p.Worker)
					}
					if !c.Relaxed { // other CPUs may hold some
						assert.Len(t, ids, 4*16)
						assert.Equal(t, ID(math.MaxInt64), ids[len(ids)-1])
					}
					slices.Sort(ids)
					assert.Equal(t, len(ids), len(slices.Compact(ids)))
				})
			})
		}
	}
}
