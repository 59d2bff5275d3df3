package storetest

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// together does something several times at once.
func (f *fixture) together(times int, do func(i int) error) {
	f.t.Helper()
	var all errgroup.Group
	for i := range times {
		all.Go(func() error { return do(i) })
	}
	require.NoError(f.t, all.Wait())
}

// testMakersAtOnce: of many who create the same rows, one creates each of them, and of many
// who open them, one opens each. Whoever is done sees them all, and none changes any more.
func testMakersAtOnce(f *fixture) {
	const makers = 6
	f.pool = pool(unit)
	f.seedHead()
	var seen [makers]store.View
	agree := func(make func(i int) error) []store.Row {
		f.together(makers, func(i int) (err error) {
			if err = make(i); err == nil {
				seen[i], err = f.store.View(f.t.Context(), f.pool, first, last)
			}
			return err
		})
		rows := f.view().Rows
		require.Len(f.t, rows, last-first+1)
		for _, v := range seen {
			assert.Equal(f.t, rows, v.Rows)
		}
		return rows
	}
	var created [makers]store.Nonce
	rows := agree(func(i int) error {
		created[i] = leasetest.Nonce()
		ids := workers()
		slices.Reverse(ids[:i%len(ids)]) // each in another order
		return f.store.Create(f.t.Context(),
			store.Creation{Pool: f.pool, Workers: ids, Nonce: created[i]})
	})
	for _, row := range rows {
		assert.Contains(f.t, created[:], row.Nonce)
	}

	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	one := f.create(workers()...)
	var openings [makers]store.Opening
	for i := range openings {
		openings[i] = f.opening(one, workers()...)
		openings[i].High += int64(i)
	}
	for _, row := range agree(func(i int) error { return f.store.Open(f.t.Context(), openings[i]) }) {
		i := slices.IndexFunc(openings[:], func(o store.Opening) bool { return o.Nonce == row.Nonce })
		require.GreaterOrEqual(f.t, i, 0)
		assert.Equal(f.t, openings[i].High, row.High)
	}
}

// testStarters: as many processes as there may be rows start where there is nothing at all.
// Each gets a worker id that no other has, and ticks above those that an earlier row may have
// been granted. For one more there is none.
func testStarters(f *fixture) {
	remove := f.deletions()
	remove[len(remove)-1]()
	f.pool = pool(brisk)
	above := f.view().MaxHigh()
	c := f.claim()
	c.TTL = time.Minute // none of them expires, however busy the machine is
	var mu sync.Mutex
	seen := map[int64]bool{}
	f.together(last-first+1, func(int) error {
		l, err := worker.Leased(f.store, c).Assign(f.t.Context(), f.need())
		if err != nil {
			return err
		}
		f.t.Cleanup(func() { l.Release(context.WithoutCancel(f.t.Context()), math.MinInt64) })
		mu.Lock()
		defer mu.Unlock()
		seen[l.WorkerID()] = true
		lo, _ := l.Grant()
		assert.Greater(f.t, lo, above)
		return nil
	})
	assert.Len(f.t, seen, last-first+1, "each has a worker id of its own")
	assert.Len(f.t, f.view().Rows, last-first+1)
	_, err := worker.Leased(f.store, c).Assign(f.t.Context(), f.need())
	require.ErrorIs(f.t, err, worker.ErrAllHeld)
}
