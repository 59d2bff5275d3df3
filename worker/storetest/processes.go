package storetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

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

// testMakersAtOnce checks that of many processes that create or open the same rows, exactly one
// creates or opens each row. A process that is done sees all rows, and none changes any more.
func testMakersAtOnce(f *fixture) {
	const makers = 6
	f.use(pool(unit))
	f.makeHead()
	ctx := f.t.Context()
	nonces := make([]store.Nonce, makers)
	for i := range nonces {
		nonces[i] = leasetest.Nonce()
	}
	agree := func(make func(i int, ids []int64) error) (rows []store.Row) {
		var seen [makers]store.View
		f.together(makers, func(i int) (err error) {
			ids := workers()
			slices.Reverse(ids[:i%len(ids)]) // each in another order
			if err = make(i, ids); err == nil {
				seen[i], err = f.store.View(ctx, f.pool, first, last)
			}
			return err
		})
		for _, v := range seen {
			require.Len(f.t, v.Rows, last-first+1)
			assert.Equal(f.t, seen[0].Rows, v.Rows)
		}
		return seen[0].Rows
	}
	for _, row := range agree(func(i int, ids []int64) error {
		return f.store.Create(ctx, f.pool, ids, nonces[i])
	}) {
		assert.Contains(f.t, nonces, row.Nonce)
	}
	require.NoError(f.t, f.store.Delete(ctx, f.pool.Layout))
	created := f.create(workers()...)
	for _, row := range agree(func(i int, ids []int64) error {
		return f.store.Open(ctx, f.pool, ids, created,
			store.Row{Nonce: nonces[i], Open: true, High: int64(i + 1)})
	}) {
		i := slices.Index(nonces, row.Nonce)
		assert.True(f.t, row.Open)
		assert.EqualValues(f.t, i+1, row.High)
	}
}

// underHolders does each of the doings to the store while processes mint, of which one has just
// left, with the worker id that each doing gets. After each, all that are left mint again, and no
// two mint the same tick with one worker id.
func (f *fixture) underHolders(doings ...func(left int64)) {
	f.t.Helper()
	f.begin()
	f.pool = leasetest.Pool
	h := leasetest.Start(f.t, f.store, 3)
	h.TTL, h.Slack = max(f.TTL, 200*time.Millisecond), 50*time.Millisecond
	h.Timeout = time.Minute // no call hangs, but a busy machine is slow
	leaves := h.Join(f.store)
	next, last := h.Join(f.store), h.Join(f.store)
	h.GoOn("all is well")
	for _, do := range doings {
		// A generator makes no id below its last one, whatever it is granted. So a new generator
		// takes what is new.
		left := leaves.Stats().WorkerID
		_ = leaves.Close() // what it cannot give back runs out
		do(left)
		leaves, next, last = next, last, h.Join(f.store)
		h.GoOn("it was done")
	}
	assert.Zero(f.t, h.Duplicates())
}

// testDeletingUnderHolders checks that deleting anything is safe at any time.
func testDeletingUnderHolders(f *fixture) {
	remove := func(layout string) func(int64) {
		return func(int64) { require.NoError(f.t, f.store.Delete(f.t.Context(), layout)) }
	}
	layout := leasetest.Pool.Layout
	doings := []func(int64){remove(layout), remove("")}
	if f.Hands != nil {
		h := f.Hands(f.t, f.store)
		doings = append(doings, func(int64) { h.DeleteAll() },
			func(left int64) { h.DeleteRow(layout, left) },
			func(left int64) { h.DeleteRow(layout, left%3+1) }) // of a process that mints
		if h.DeleteHead != nil {
			doings = append(doings, func(int64) { h.DeleteHead(layout) })
		}
	}
	f.underHolders(doings...)
}
