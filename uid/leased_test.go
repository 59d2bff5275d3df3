package uid

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// outage is a store that can be out of reach.
type outage struct {
	store.Store
	down   atomic.Bool
	writes atomic.Int64
}

var errDown = errors.New("the store is down")

func (o *outage) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	if o.down.Load() {
		return store.View{}, errDown
	}
	return o.Store.View(ctx, p, first, last)
}

func (o *outage) Write(ctx context.Context, w store.Write) (bool, error) {
	if o.down.Load() {
		return false, errDown
	}
	o.writes.Add(1)
	return o.Store.Write(ctx, w)
}

// existing is a claim that creates no rows.
func existing() worker.Claim {
	return worker.Claim{ExistingOnly: true, Logger: testConfig().Logger}
}

// poolOf is the pool of a layout.
func poolOf(l Layout) store.Pool { return store.Pool{Layout: l.fingerprint(), Unit: l.Unit} }

// openRows makes rows of worker ids up to last, whose first tick is the present one.
func openRows(t *testing.T, s store.Store, p store.Pool, last int64) {
	var workers []int64
	for id := range last + 1 {
		workers = append(workers, id)
	}
	created := store.Nonce{1}
	require.NoError(t, s.Create(t.Context(), p, workers, created))
	require.NoError(t, s.Open(t.Context(), p, workers, created, store.Row{Nonce: store.Nonce{2},
		Open: true, High: p.TickAt(time.Now()) - 1, Slack: time.Minute}))
}

// leased runs a test in a bubble with a store of so many free worker ids.
func leased(t *testing.T, ids int64, test func(t *testing.T, s *outage, a worker.Assigner)) {
	synctest.Test(t, func(t *testing.T) {
		s := &outage{Store: memory.New()}
		openRows(t, s, poolOf(testLayout), ids-1)
		test(t, s, worker.Leased(s, existing()))
	})
}

func onStore(t *testing.T, a worker.Assigner) *CachedGenerator {
	g, err := newCached(t.Context(), a, testConfig())
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
		first := onStore(t, worker.Leased(paused, existing()))
		defer first.Close()
		ids := take(t, first, 100)
		paused.down.Store(true) // it hears nothing, as if it stood still
		time.Sleep(91 * time.Second)

		second := onStore(t, a)
		defer second.Close()
		next := take(t, second, 500)
		assert.Greater(t, next[0], ids[99])
		ids = append(ids, next...)
		for range 100 { // what the first still has is its own
			id, err := first.GetUID()
			if err != nil {
				break
			}
			ids = append(ids, id)
		}
		paused.down.Store(false)
		time.Sleep(10 * time.Second)
		_, err := first.GetUID()
		assert.ErrorIs(t, err, ErrLeaseLost)
		assert.ErrorIs(t, err, worker.ErrFenced)
		assert.ErrorIs(t, err, worker.ErrAllHeld, "why there is no other")
		slices.Sort(ids)
		assert.Equal(t, len(ids), len(slices.Compact(slices.Clone(ids))))
	})
}

// A copy takes another row, of which no ticks ahead of the clock were asked for.
func TestACopyTakesAnotherWorkerIdWithinASecondOrSo(t *testing.T) {
	for _, passes := range []int64{0, 10} {
		leased(t, 2, func(t *testing.T, _ *outage, a worker.Assigner) {
			g, err := newDefault(t.Context(), a, testConfig())
			require.NoError(t, err)
			defer g.Close()
			take(t, g, 1)
			had := g.Stats().WorkerID
			time.Sleep(time.Duration(passes) * time.Second)
			g.AfterRestore()
			ids := take(t, g, 1)
			assert.LessOrEqual(t, seconds(t, ids)[0], passes+2)
			assert.NotEqual(t, had, g.Stats().WorkerID)
		})
	}
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

// A drift gives ids of the future, and a turn may lie after what was given:
// the next holder of the worker id learns the highest tick of all, when the generator closes and
// when the lease is lost.
func TestARestartKnowsWhatLiesAhead(t *testing.T) {
	drifting, turning := testConfig(), testConfig()
	drifting.TickFull = policy.BorrowAhead(20)
	turning.ClockBack, turning.Layout.TurnBits = policy.Turn, 1
	for name, c := range map[string]struct {
		config settings
		takes  int
		step   time.Duration
		ahead  int64 // of the tick in which the generator began
	}{
		"drift":        {drifting, 16*10 + 1, 0, 10},
		"turn":         {turning, 1, -time.Hour, 0},
		"reserved ids": {reserving(), 1, -time.Second, 0},
	} {
		for end, give := range map[string]func(*testLease, *DefaultGenerator){
			"closed": func(_ *testLease, g *DefaultGenerator) { require.NoError(t, g.Close()) },
			"lost":   func(l *testLease, _ *DefaultGenerator) { l.lose(errors.New("it expired")) },
		} {
			t.Run(name+"/"+end, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := &testLease{id: 7, lo: math.MinInt64, hi: math.MaxInt64}
					next := &testLease{id: 8, lo: math.MinInt64, hi: math.MaxInt64}
					clock := new(setClock)
					c.config.Now = clock.Now
					g, err := newDefault(t.Context(), &succession{leases: []*testLease{l, next}}, c.config)
					require.NoError(t, err)
					defer g.Close()
					take(t, g, c.takes)
					clock.step(c.step)
					take(t, g, 1)
					assert.EqualValues(t, c.takes+1, g.Stats().Taken)
					give(l, g)
					synctest.Wait()
					assert.Equal(t, []int64{bubbleStart.Unix() + c.ahead}, l.released)
				})
			})
		}
	}
}

// reserving is like Yitter's settings.
func reserving() settings {
	c := testConfig()
	c.ClockBack, c.MinSeq = policy.Reserved{First: 1, Last: 4}, 5
	return c
}

// Reserved ids go down to where the lease begins: the past before it is another
// holder's. Below, the step is refused at once.
func TestReservedIdsStayInsideTheGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, clock := reserving(), new(setClock)
		c.Now = clock.Now
		l := &testLease{id: 3, lo: bubbleStart.Unix() - 2, hi: math.MaxInt64}
		g, err := newDefault(t.Context(), l, c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		clock.step(-2 * time.Second)
		ids, err := g.AppendUIDs(nil, 2)
		require.NoError(t, err)
		assert.Equal(t, []ID{small(24*3600-1, 1), small(24*3600-2, 1)}, ids)
		before := time.Now()
		_, err = g.GetUID()
		assert.ErrorIs(t, err, ErrClockBack)
		assert.Zero(t, time.Since(before), "nothing to wait for")
	})
}

// A backup is restored beside a live generator: what it still has is dropped, and it
// goes on above everything that may have been granted.
func TestAStoreThatWentBackInTime(t *testing.T) {
	leased(t, 1, func(t *testing.T, s *outage, _ worker.Assigner) {
		mem := s.Store.(*memory.Store)
		backup := mem.Snapshot()
		g := onStore(t, worker.Leased(s, worker.Claim{Logger: testConfig().Logger}))
		defer g.Close()
		old := take(t, g, 61*16) // all that is granted
		mem.Rollback(backup)
		assert.Zero(t, g.Stats().Rollbacks)
		synctest.Wait()
		time.Sleep(5 * time.Second)
		assert.ErrorIs(t, g.Ready(), worker.ErrAllHeld, "until the floor can be had")
		time.Sleep(15 * time.Second)
		next := take(t, g, 100)
		synctest.Wait()
		assert.EqualValues(t, 1, g.Stats().Rollbacks)
		assert.EqualValues(t, 2, g.Stats().Leases)

		first, err := g.ParseUID(next[0])
		require.NoError(t, err)
		last, err := g.ParseUID(old[len(old)-1])
		require.NoError(t, err)
		assert.Greater(t, first.Time, last.Time.Add(5*time.Second), "and the slack")
	})
}

// After a restart of the store, what it grants next begins later, and counts: nobody has to be
// alarmed (RinguidLeaseNotRenewed).
func TestTheGrantDoesNotEndWhenTheStoreRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memory.New()
		s.Restart("first")
		g := onStore(t, worker.Leased(s, worker.Claim{Logger: testConfig().Logger}))
		defer g.Close()
		for second := range 180 {
			if second == 70 {
				s.Restart("second")
			}
			assert.Greater(t, time.Until(g.Stats().GrantedUntil), 20*time.Second, second)
			take(t, g, 1)
			time.Sleep(time.Second)
		}
	})
}

// An assigner that remembers its lease would give it to two generators.
func TestALeaseHasOneGenerator(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, s := newPool(time.Second)
		l, err := worker.Leased(s, only()).Assign(t.Context(), c.Layout.Need())
		require.NoError(t, err)
		remembers := assigner(func() worker.Lease { return l })
		g, err := open(remembers, c)
		require.NoError(t, err)
		defer g.Close()
		_, err = open(assigner(func() worker.Lease { return struct{ worker.Lease }{l} }), c)
		require.ErrorIs(t, err, ErrConfig)
		assert.ErrorContains(t, err, "another generator has")
		assert.True(t, onlyRow(t, s, c.Layout).Held, "it was not released")
		take(t, g, 20)

		l, err = worker.NeverRepeats(func(context.Context) (int64, error) { return 3, nil }).Assign(
			t.Context(), c.Layout.Need())
		require.NoError(t, err)
		g, err = open(remembers, c)
		require.NoError(t, err)
		defer g.Close()
		_, err = open(remembers, c)
		require.ErrorIs(t, err, ErrConfig)
	})
}

// An assigner that asks for one layout whatever it is asked for would give two processes, each
// with a layout of its own, the worker id that one of them leased in the other's pool.
func TestALeaseIsOfOneLayout(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		c, s := newPool(time.Second)
		other := c.Layout
		other.Epoch = other.Epoch.Add(time.Hour)
		l, err := worker.Leased(s, only()).Assign(t.Context(), other.Need())
		require.NoError(t, err)
		_, err = open(assigner(func() worker.Lease { return l }), c)
		require.ErrorIs(t, err, ErrConfig)
		require.ErrorIs(t, err, worker.ErrClaim)
		lo, hi := l.Grant()
		assert.Greater(t, lo, hi, "nothing may be used")
	})
}
