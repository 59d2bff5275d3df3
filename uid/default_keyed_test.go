package uid

import (
	"fmt"
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

// Raindrop's NewIdByCode unlocks a copy of its lock: 8 goroutines with 300 ids
// each crashed it, or got 185 duplicates of 2400.
func TestKeyedIsUniquePerNameFromManyGoroutines(t *testing.T) {
	c := liveClock(testConfig())
	c.Layout.Unit, c.Layout.TimeBits, c.Layout.SeqBits, c.Layout.WorkerBits = time.Millisecond, 45, 10,
		8
	g, err := NewDefault(t.Context(), worker.Static(1), c)
	require.NoError(t, err)
	defer g.Close()
	const goroutines, each, names = 8, 300, 5
	var mu sync.Mutex
	ids := map[string][]ID{}
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			own := map[string][]ID{}
			for i := range each * names {
				name := fmt.Sprint("code ", i%names)
				id, err := g.Keyed(name).GetUID()
				if err != nil {
					t.Error(err)
					return
				}
				own[name] = append(own[name], id)
			}
			mu.Lock()
			defer mu.Unlock()
			for name, list := range own {
				if !slices.IsSorted(list) {
					t.Errorf("the ids of %s do not grow", name)
				}
				ids[name] = append(ids[name], list...)
			}
		})
	}
	wg.Wait()
	require.Len(t, ids, names)
	for name, list := range ids {
		slices.Sort(list)
		assert.Len(t, slices.Compact(list), goroutines*each, name)
	}
}

func TestIDsOfDifferentNamesMayBeEqualByDesign(t *testing.T) {
	defaultInBubble(t, worker.Static(3), testConfig(), func(t *testing.T, g *DefaultGenerator) {
		for range 16 { // a tick's ids for each
			idA, err := g.Keyed("").GetUID() // is a name, too
			require.NoError(t, err)
			idB, err := g.Keyed("b").GetUID()
			require.NoError(t, err)
			own, err := g.GetUID()
			require.NoError(t, err)
			assert.Equal(t, []ID{idA, idA}, []ID{idB, own})
		}
		assert.Zero(t, time.Since(bubbleStart))
		assert.EqualValues(t, 48, g.Stats().Taken)
	})
}

// The next worker id may be a lower one: a name's ids grow all the same, as all
// sequences pass over the rest of the tick.
func TestALeaseSwapReachesEveryName(t *testing.T) {
	now := bubbleStart.Unix()
	first := &testLease{id: 9, lo: now, hi: now + 1000}
	second := &testLease{id: 2, lo: now, hi: now + 1000}
	c := testConfig()
	c.TickFull = policy.BorrowAhead(10)
	defaultInBubble(t, &succession{leases: []*testLease{first, second}}, c,
		func(t *testing.T, g *DefaultGenerator) {
			const a, b = "a", "b"
			keyOfA := g.Keyed(a) // found before the swap
			ids := map[string][]ID{}
			get := func(name string, n int) {
				var err error
				if name == a {
					ids[a], err = keyOfA.AppendUIDs(ids[a], n)
				} else {
					ids[name], err = g.Keyed(name).AppendUIDs(ids[name], n)
				}
				require.NoError(t, err)
			}
			get(a, 1)
			get(b, 16*3+1) // three seconds ahead
			first.set(func() { first.err = worker.ErrFenced })
			synctest.Wait()
			assert.EqualValues(t, 2, g.Stats().WorkerID)
			assert.Equal(t, []int64{now + 3}, first.released, "the highest tick of all names")
			get(a, 1)
			get(b, 1)
			for name, list := range ids {
				assert.True(t, slices.IsSorted(list), "%s: %v", name, list)
				assert.Len(t, slices.Compact(list), len(list))
			}
			p, err := g.ParseUID(ids[a][1])
			require.NoError(t, err)
			assert.EqualValues(t, 2, p.Worker)
			require.NoError(t, g.Close())
			assert.Equal(t, []int64{now + 4}, second.released)
		})
}
