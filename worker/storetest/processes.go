package storetest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/internal/grants"
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
	leasetest.MakeHead(f.t, f.store, f.pool)
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
		return f.store.Create(f.t.Context(), f.pool, ids, created[i])
	})
	for _, row := range rows {
		assert.Contains(f.t, created[:], row.Nonce)
	}

	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	one := f.create(workers()...)
	var openings [makers]opening
	for i := range openings {
		openings[i] = f.opening(one, workers()...)
		openings[i].high += int64(i)
	}
	for _, row := range agree(func(i int) error { return openings[i].send(f.t.Context(), f.store) }) {
		i := slices.IndexFunc(openings[:], func(o opening) bool { return o.nonce == row.Nonce })
		require.GreaterOrEqual(f.t, i, 0)
		assert.Equal(f.t, openings[i].high, row.High)
	}
}

// testStarters: as many processes as there may be rows start where there is nothing at all.
// Each gets a worker id that no other has, and ticks above those that an earlier row may have
// been granted. For one more there is none.
func testStarters(f *fixture) {
	remove := f.deletions()
	remove[len(remove)-1]()
	f.pool = pool(brisk)
	above := grants.Last(f.view())
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

// brisk is the unit of ticks that pass quickly: a new row is soon no longer ahead.
const brisk = 10 * time.Millisecond

func (f *fixture) need() worker.Need {
	return worker.Need{Unit: f.pool.Unit, MaxID: 1023, Fingerprint: f.pool.Layout}
}

func (f *fixture) claim() worker.Claim {
	return worker.Claim{
		First: first, Last: last, TTL: 4 * f.ttl, Slack: f.ttl, Owner: "storetest",
		Timeout: time.Minute, // no call hangs, but a busy machine is slow
		Logger:  slog.New(slog.DiscardHandler),
	}
}

// testTakeover: a holder that the store does not hear is taken over above all that it was
// granted, and knows it as soon as it hears the store.
func testTakeover(f *fixture) {
	f.begin(brisk)
	h := leasetest.NewHolders(f.t, f.need(), f.claim())
	one := h.JoinAs(first, f.store)
	h.GoOn("all is well")
	one.CutOff()
	two := h.JoinAs(first, f.store)
	h.GoOn("it was taken over")
	lost := one.Lease()
	assert.NoError(f.t, lost.Err(), "a lease that expires may be used up")
	one.Mend()
	h.Until("it notices", func() error {
		if lost.Err() == nil {
			return errors.New("its lease stands")
		}
		return nil
	})
	assert.ErrorIs(f.t, lost.Err(), worker.ErrFenced)
	assert.NoError(f.t, two.Lease().Err())
	assert.Empty(f.t, h.Duplicates())
}

// underHolders does each of these things to the store, several times, while processes mint.
// Each mints again after each of them, and no two of them the same tick with one worker id.
func (f *fixture) underHolders(doings ...func()) {
	f.t.Helper()
	f.begin(brisk)
	h := leasetest.NewHolders(f.t, f.need(), f.claim())
	for range 3 {
		h.Join(f.store)
	}
	h.GoOn("all is well")
	for _, do := range doings {
		for range 3 {
			do()
			h.GoOn("it was done")
		}
	}
	assert.Empty(f.t, h.Duplicates())
}

// testDeletingUnderHolders: deleting anything is safe at any time.
func testDeletingUnderHolders(f *fixture) {
	doings := f.deletions()
	if f.hands != nil {
		h := f.hands(f.t, f.store)
		doings = append(doings, func() { h.DeleteRow(f.pool.Layout, first) },
			func() { h.DeleteRow(f.pool.Layout, first+1) })
		if h.DeleteHead != nil {
			doings = append(doings, func() { h.DeleteHead(f.pool.Layout) })
		}
	}
	for _, do := range doings {
		f.underHolders(do)
	}
}
