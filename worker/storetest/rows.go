package storetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/memory"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// testCheck checks that a store that the tests may use passes Check.
func testCheck(f *fixture) {
	_, err := f.store.Check(f.t.Context())
	require.NoError(f.t, err, "open a store whose server is set up to keep what it acknowledges")
}

// testManyRows creates and opens more rows in one call than fit into one request of most
// clients. Some of them exist already.
func testManyRows(f *fixture) {
	f.use(pool(unit))
	f.create(f.ManyRows/2, 0)
	var ids []int64
	for id := range f.ManyRows {
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	created := f.create(ids...)
	f.makeHead()
	f.open(created, ids...)
	f.hold(f.ManyRows - 1)
	f.delete(f.pool.Layout)
}

func testViewRange(f *fixture) {
	for _, r := range [][2]int64{{first, last}, {0, all}, {6, 7}, {8, 8}, {0, 5}, {9, 20}, {0, 4},
		{10, 20}, {8, 6}} {
		f.see(f.pool, r[0], r[1])
	}
}

// testOthers checks that pools of other layouts are shown, each with the row that reaches
// furthest, or with any row if none is open.
func testOthers(f *fixture) {
	far := f.prepare(7, acquire)
	far.High++
	f.write(far)
	f.create(last + 1)
	f.use(pool(2 * unit))
	f.seed()
	for id := int64(first); id <= last; id++ {
		w := f.prepare(id, release)
		w.High -= id
		f.write(w)
	}
	f.use(pool(24 * time.Hour))
	f.create(1, 2)
	f.see(store.Pool{}, 0, all)
	f.see(f.pool, 1, 1) // also beside one row, which this process does not hold
	f.see(f.pools[1], first, first)
}

// testLayoutsApart uses two layouts of which one is a part of the other, or that differ in case.
func testLayoutsApart(f *fixture) {
	mine := f.pool
	for _, layout := range []string{strings.ToUpper(mine.Layout), mine.Layout + "1",
		mine.Layout[:len(mine.Layout)-1], "tsw." + mine.Layout} {
		f.use(store.Pool{Layout: layout, Unit: unit})
		f.atOnce(func() {
			f.seed()
			f.hold(first)
			f.delete(layout)
			created := f.create(workers()...)
			f.open(created, first)
			f.hold(first)
		})
	}
	f.delete(mine.Layout)
}

// testAnotherUnit checks that rows with ticks of one length are not taken for rows with another.
func testAnotherUnit(f *fixture) {
	w := f.prepare(first, acquire)
	other := f.pool
	other.Unit = 5 * time.Second
	v, err := f.store.View(f.t.Context(), other, first, last)
	require.ErrorIs(f.t, errors.Join(err, v.Unreadable), worker.ErrStore)
	require.Empty(f.t, v.Rows)
	w.Pool, w.High = other, 0 // which no clock refuses
	applied, err := f.store.Write(f.t.Context(), w)
	require.False(f.t, applied, "the write was applied")
	if err != nil {
		require.ErrorIs(f.t, err, worker.ErrStore)
	}
	f.hold(first)
}

// testDelete checks that a place whose rows were deleted, in any way, is like one that never
// had any. Heads stay, unless people delete them.
func testDelete(f *fixture) {
	for _, remove := range f.deletions() {
		f.begin()
		f.seed()
		f.hold(first)
		remove()
		f.see(store.Pool{}, 0, all)
		f.see(pool(time.Minute), 0, all)
		f.delete(f.pool.Layout) // nothing is left
		f.delete("")
		f.seed()
		f.hold(first)
	}
	f.use(pool(unit))
	f.seed()
	f.delete(f.pool.Layout) // the rows of another layout stay
	f.seed()
	f.delete("")
}

// deletions returns the ways to delete all rows of a place that has one layout.
func (f *fixture) deletions() []func() {
	all := []func(){
		func() { f.delete(f.pool.Layout) },
		func() { f.delete("") },
	}
	if f.Hands != nil {
		all = append(all, func() {
			f.Hands(f.t, f.store).DeleteAll()
			f.model.Rollback(memory.New())
			f.incarnation()
		})
	}
	return all
}

// testExact checks that ticks are exact as far as milliseconds reach in a float64, which is
// where the narrowest store ends: some 285,000 years. So are owners, and all 128 bits of a
// nonce, whatever they mean in a store's language.
func testExact(f *fixture) {
	written := func(k kind, change func(w *store.Write)) {
		w := f.prepare(7, k)
		change(&w)
		require.True(f.t, f.write(w))
	}
	high := f.prepare(7, release).High
	written(extend, func(w *store.Write) { w.High = high - 1 })
	require.Equal(f.t, high, f.prepare(7, release).High, "only a release lowers it")
	const far = 1<<53 - 1
	for _, high := range []int64{far, far - 1, 1<<40 + 1, 1<<31 + 1, 1, 0} {
		written(release, func(w *store.Write) { w.High = high })
	}
	for _, owner := range []string{
		"", "10.0.0.7:8080", "UPPER lower ", "日本 ü 🦫", `'"\;--%_{}[]|/`, "one\ntwo\tthree", "null",
		strings.Repeat("x", 300),
	} {
		written(extend, func(w *store.Write) { w.Owner = owner })
	}
	for _, n := range []string{
		"0123456789abcdef", "0123456789ABCDEF", "'; DROP TABLE x;", `\'"%_\\\n$1 ?:x{}`,
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01",
		"\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6\xf5\xf4\xf3\xf2\xf1\xf0",
		"ends in blanks  ", "ends in a line\r\n", "ends in nil\x00\x00\x00\x00\x00",
	} {
		written(extend, func(w *store.Write) { w.Nonce = store.Nonce([]byte(n)) })
		w := f.prepare(7, extend)
		w.Expect[0][15] ^= 0x20 // the other case of a letter, a blank for nil
		require.False(f.t, f.write(w))
	}
}

// testNow checks that the server is asked each time, and that its answer is not before any view's.
func testNow(f *fixture) {
	now, err := f.store.Now(f.t.Context())
	require.NoError(f.t, err)
	before := f.now
	f.compare()
	between(f.t, before, now, f.now.Add(5*time.Second), "the latest time that it can be")
	for range 3 {
		require.Eventually(f.t, func() bool {
			later, err := f.store.Now(f.t.Context())
			return err == nil && later.After(now)
		}, 10*time.Second, 20*time.Millisecond, "it was asked only once")
		now, err = f.store.Now(f.t.Context())
		require.NoError(f.t, err)
	}
}

// testContextEnded checks that every method returns the error of a context that has ended.
func testContextEnded(f *fixture) {
	w := f.prepare(first, acquire)
	ctx, cancel := context.WithCancel(f.t.Context())
	cancel()
	none := w
	none.Pool = pool(unit)
	for what, call := range leasetest.Calls(ctx, f.store, none) {
		err := call()
		assert.ErrorIs(f.t, err, context.Canceled, what)
		assert.NotContains(f.t, err.Error(), "the next view", what) // which shows what was sent
	}
	_, err := f.store.Write(ctx, w)
	require.ErrorIs(f.t, err, context.Canceled)
	// The store works again. Whether the row was acquired is not known.
	applied, err := f.store.Write(f.t.Context(), f.prepare(last, acquire))
	require.NoError(f.t, err)
	require.True(f.t, applied)
}
