package uid

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
)

func eachKind(t *testing.T,
	test func(t *testing.T, open func(worker.Assigner, settings) (generator, error))) {
	for kind, open := range constructors {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t, func(a worker.Assigner, c settings) (generator, error) {
					return open(t.Context(), a, c)
				})
			})
		})
	}
}

// The store's answer was under way when the machine was copied: it reaches both.
func TestALeaseThatWasOnItsWayAtARestoreIsNotUsed(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		first, second, third := granted(0, math.MaxInt32), granted(0, math.MaxInt32),
			granted(0, math.MaxInt32)
		second.id, third.id = 8, 9
		var g generator
		nothing := func() {}
		a := &answers{
			leases: []worker.Lease{first, second, third},
			before: []func(){nothing, func() { g.AfterRestore() }},
		}
		g, err := open(a, testConfig())
		require.NoError(t, err)
		defer g.Close()
		first.lose(worker.ErrFenced)
		synctest.Wait()
		for _, id := range take(t, g, 20) {
			p, err := g.ParseUID(id)
			require.NoError(t, err)
			assert.EqualValues(t, 9, p.Worker, "the copy may have 8")
		}
		require.NoError(t, g.Close())
		assert.Len(t, third.released, 1)
		assert.Empty(t, second.released)
	})
}

// No tick is minted twice, so what follows is ahead by what was in the ring.
func TestACachedGeneratorGoesOnAfterTheRingThatItDropped(t *testing.T) {
	for name, end := range map[string]func(*testLease, generator){
		"restored": func(_ *testLease, g generator) { g.AfterRestore() },
		"fenced":   func(l *testLease, _ generator) { l.lose(worker.ErrFenced) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				first, second := granted(0, math.MaxInt32), granted(0, math.MaxInt32)
				g, err := newCached(t.Context(), &succession{leases: []*testLease{first, second}}, ringConfig())
				require.NoError(t, err)
				defer g.Close()
				take(t, g, 1)
				ring := g.Stats().RingSize / 16 // in ticks
				end(first, g)
				synctest.Wait()
				assert.Equal(t, []int64{ring}, seconds(t, take(t, g, 1)))
			})
		})
	}
}

// A restore drops what is left in a stream, from ahead of the clock. The next drop of old ids does
// not reach as far, and gives nothing of it back.
func TestWhatARestoreDropsStaysDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := cached(t, granted(0, math.MaxInt32), testConfig())
		fill(g)
		_, err := g.AppendUIDs(nil, 500)
		require.NoError(t, err)
		s := g.Stream()
		takeAll(t, s, 9)
		require.Less(t, s.next, s.last, "it holds a span")
		held := s.last
		g.AfterRestore()
		time.Sleep(2 * time.Second) // the first second's ids are dropped
		synctest.Wait()
		assert.Greater(t, int64(takeAll(t, s, 1)[0])&g.fields.counted, held)
	})
}

// The next lease found out that the machine was restored before the generator
// first looked: what was made of it is flushed all the same, however often that was so before.
func TestWhatTheNextLeaseGivesUpIsFlushedToo(t *testing.T) {
	for before := range int64(2) {
		synctest.Test(t, func(t *testing.T) {
			first := &restoring{testLease: granted(0, math.MaxInt32)}
			second := &restoring{testLease: granted(0, math.MaxInt32)}
			first.times.Add(before)
			second.times.Add(1)
			g, err := newCached(t.Context(), &answers{leases: []worker.Lease{first, second}}, ringConfig())
			require.NoError(t, err)
			defer g.Close()
			synctest.Wait()
			take(t, g, 1)
			dropped := g.Stats().Dropped
			first.lose(errors.New("the rows are gone"))
			synctest.Wait()
			assert.EqualValues(t, 2, g.Stats().Leases)
			assert.Greater(t, g.Stats().Dropped, dropped)
		})
	}
}

type assigner func() worker.Lease

func (a assigner) Assign(context.Context, worker.Need) (worker.Lease, error) { return a(), nil }

func TestALeaseThatGrantsNothingNamesNoTime(t *testing.T) {
	eachKind(t, func(t *testing.T, open func(worker.Assigner, settings) (generator, error)) {
		g, err := open(&testLease{id: 7, lo: 0, hi: -1}, testConfig())
		require.NoError(t, err)
		defer g.Close()
		_, err = g.GetUID()
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "1970")
		assert.True(t, time.Now().Equal(g.Stats().GrantedUntil))
		assert.Zero(t, g.Stats().LastTick)
	})
}
