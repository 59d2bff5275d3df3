package uid

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outage is a store that can be out of reach.
type outage struct {
	worker.Store
	down   atomic.Bool
	writes atomic.Int64
}

var errDown = errors.New("the store is down")

func (o *outage) View(ctx context.Context, ns string, first, last int64) (worker.View, error) {
	if o.down.Load() {
		return worker.View{}, errDown
	}
	return o.Store.View(ctx, ns, first, last)
}

func (o *outage) Write(ctx context.Context, w store.Write) (bool, error) {
	if o.down.Load() {
		return false, errDown
	}
	o.writes.Add(1)
	return o.Store.Write(ctx, w)
}

// leased runs a test in a bubble with a store of so many free worker ids.
func leased(t *testing.T, ids int64, test func(t *testing.T, s *outage, a worker.Assigner)) {
	synctest.Test(t, func(t *testing.T) {
		s := &outage{Store: memstore.New()}
		ns, err := worker.NewNamespace("default", testLayout.Need(), 0, ids-1, 0)
		require.NoError(t, err)
		require.NoError(t, s.Init(t.Context(), ns, worker.InitOptions{Fresh: true}))
		test(t, s, worker.Leased(s, worker.Claim{Logger: testConfig().Logger}))
	})
}

func onStore(t *testing.T, a worker.Assigner) *CachedGenerator {
	g, err := NewCached(t.Context(), a, testConfig())
	require.NoError(t, err)
	return g
}

// The fence bounds the borrowing: a burst of the window's ticks, then the ids of
// a second each second.
func TestAFenceBoundsTheBorrowing(t *testing.T) {
	leased(t, 1, func(t *testing.T, _ *outage, a worker.Assigner) {
		g := onStore(t, a)
		defer g.Close()
		take(t, g, 61*16) // now and a window of 60 s
		assert.Zero(t, time.Since(bubbleStart), "the burst")
		take(t, g, 10*16)
		assert.InDelta(t, 10, time.Since(bubbleStart).Seconds(), 2, "the steady rate")
		assert.LessOrEqual(t, g.Stats().Ahead, 62*time.Second)
	})
}

func TestAStoreThatIsDownUntilTheWindowEndsAndThenBack(t *testing.T) {
	leased(t, 1, func(t *testing.T, s *outage, a worker.Assigner) {
		g := onStore(t, a)
		defer g.Close()
		ids := take(t, g, 16)
		s.down.Store(true)
		ids = append(ids, take(t, g, 60*16)...) // what was granted goes on
		_, err := g.GetUID()
		require.ErrorIs(t, err, ErrRingEmpty)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		_, err = g.GetUID()
		require.ErrorIs(t, err, ErrRingEmpty)

		s.down.Store(false)
		id, err := g.GetUIDContext(t.Context()) // resumes by itself
		require.NoError(t, err)
		ids = append(append(ids, id), take(t, g, 16)...)
		assert.True(t, slices.IsSorted(ids))
		assert.Len(t, slices.Compact(ids), 16+960+1+16)
		assert.EqualValues(t, 1, g.Stats().Leases, "nobody else had it meanwhile")
	})
}

// A paused process: its lease expires, another takes the worker id over, and then
// it wakes with ids in its ring.
func TestAPausedHolderAndTheNextNeverMintOneId(t *testing.T) {
	leased(t, 1, func(t *testing.T, s *outage, a worker.Assigner) {
		paused := &outage{Store: s.Store}
		first := onStore(t, worker.Leased(paused, worker.Claim{Logger: testConfig().Logger}))
		defer first.Close()
		ids := take(t, first, 100)
		paused.down.Store(true) // it hears nothing, as if it stood still
		time.Sleep(91 * time.Second)

		second := onStore(t, a)
		defer second.Close()
		ids = append(ids, take(t, second, 500)...)
		for range 100 { // what the first still has is its own
			id, err := first.GetUID()
			if err != nil {
				break
			}
			ids = append(ids, id)
		}
		paused.down.Store(false)
		time.Sleep(time.Minute)
		synctest.Wait()
		_, err := first.GetUID()
		assert.ErrorIs(t, err, ErrLeaseLost, "fenced, and the only worker id is held")
		assert.ErrorIs(t, err, worker.ErrFenced)
		slices.Sort(ids)
		assert.Equal(t, len(ids), len(slices.Compact(slices.Clone(ids))))
	})
}

func TestTheNextHolderStartsAtOnceBehindARelease(t *testing.T) {
	leased(t, 1, func(t *testing.T, _ *outage, a worker.Assigner) {
		first := onStore(t, a)
		ids := take(t, first, 300)
		require.NoError(t, first.Close())
		second := onStore(t, a)
		defer second.Close()
		start := time.Now()
		ids = append(ids, take(t, second, 300)...)
		assert.Zero(t, time.Since(start))
		assert.True(t, slices.IsSorted(ids))
		assert.Len(t, slices.Compact(ids), 600)
	})
}

// A crash parks what was granted, for a window at most; another row serves.
func TestACrashCostsAWindowAtMost(t *testing.T) {
	leased(t, 1, func(t *testing.T, s *outage, a worker.Assigner) {
		crashed := &outage{Store: s.Store}
		first := onStore(t, worker.Leased(crashed, worker.Claim{Logger: testConfig().Logger}))
		ids := take(t, first, 61*16)
		crashed.down.Store(true) // dead: it neither renews nor releases
		time.Sleep(91 * time.Second)
		second := onStore(t, a)
		defer second.Close()
		ids = append(ids, take(t, second, 100)...)
		assert.True(t, slices.IsSorted(ids))
		assert.Len(t, slices.Compact(ids), 61*16+100)
		assert.Error(t, first.Close(), "it could not give the worker id back, and says so")
	})
}

func TestALayoutOfAnotherFingerprintIsRefused(t *testing.T) {
	leased(t, 1, func(t *testing.T, _ *outage, a worker.Assigner) {
		c := testConfig()
		c.Layout.SeqBits = 5
		_, err := NewCached(t.Context(), a, c)
		assert.ErrorIs(t, err, worker.ErrNamespace)
	})
}
