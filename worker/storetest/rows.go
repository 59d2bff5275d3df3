package storetest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// testCheck: a store that the tests may use passes.
func testCheck(f *fixture) {
	_, err := f.store.Check(f.t.Context())
	require.NoError(f.t, err, "open a store whose server is set up to keep what it acknowledges")
}

// testCreate: a row that was only created has a nonce and nothing else, and nobody may take it.
func testCreate(f *fixture) {
	before := f.view().Rows
	created := f.create(last+1, last+2)
	v := f.viewOf(f.pool, first, last+2)
	require.Len(f.t, v.Rows, len(before)+2)
	assert.Equal(f.t, before, v.Rows[:len(before)])
	for i, row := range v.Rows[len(before):] {
		assert.Equal(f.t, store.Row{Worker: last + 1 + int64(i), Nonce: created}, row)
	}
	for _, k := range kinds {
		f.missed(f.prepare(last+1, k))
	}
	assert.Equal(f.t, v.Rows, f.viewOf(f.pool, first, last+2).Rows)
}

// testCreateAgain: rows that exist stay, open or not, held or not.
func testCreateAgain(f *fixture) {
	f.hold(first)
	f.create(last + 1)
	before := f.viewOf(f.pool, first, last+2).Rows
	created := f.create(last+2, last+1, last, first)
	after := f.viewOf(f.pool, first, last+2).Rows
	require.Len(f.t, after, len(before)+1)
	assert.Equal(f.t, before, after[:len(before)])
	assert.Equal(f.t, store.Row{Worker: last + 2, Nonce: created}, after[len(before)])
}

// testOpen: a row that was opened is free, and granted up to its High.
func testOpen(f *fixture) {
	created := f.create(last+1, last+2, last+3)
	rows := f.viewOf(f.pool, first, last+3).Rows
	one := f.opening(created, last+1)
	one.high += 1000
	others := f.opening(created, last+3, last+2, last+1) // one of which is open
	others.high = 1<<53 - 1
	for _, o := range []opening{one, others} {
		f.open(o)
		for i, row := range rows {
			if !row.Open && slices.Contains(o.workers, row.Worker) {
				rows[i] = store.Row{Worker: row.Worker, Nonce: o.nonce, Open: true, High: o.high}
			}
		}
		assert.Equal(f.t, rows, f.viewOf(f.pool, first, last+3).Rows)
	}
	f.open(f.opening(f.create(last+4), last+4))
	for _, k := range kinds {
		f.applied(f.prepare(last+4, k))
	}
}

// testOpenOnly: an opening changes no row that is not as it was created, not even in part.
func testOpenOnly(f *fixture) {
	created := f.create(last+1, last+2)
	f.hold(first)
	held, _ := f.row(first)
	before := f.viewOf(f.pool, first, last+2)
	half := created
	half[15] ^= 1
	for what, o := range map[string]opening{
		"another nonce":         f.opening(leasetest.Nonce(), last+1, last+2),
		"half of the nonce":     f.opening(half, last+1),
		"no worker ids":         f.opening(created),
		"other worker ids":      f.opening(created, last+3, 0),
		"the nonce of a write":  f.opening(held.Nonce, first),
		"that of an opening":    f.opening(before.Rows[1].Nonce, workers()...),
		"the layout of another": {Pool: pool(unit), workers: []int64{last + 1}, created: created},
	} {
		o.high += 1000
		f.open(o)
		assert.Equal(f.t, before.Rows, f.viewOf(f.pool, 0, last+3).Rows, what)
	}
	assert.Len(f.t, f.viewOf(store.Pool{}, 0, 0).Others, 1, "an opening creates nothing")
}

// testOpenLate: a row is deleted and created again. Whoever saw the first one does not
// open the second, though it is unopened too.
func testOpenLate(f *fixture) {
	late := f.opening(f.create(last+1), last+1)
	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	f.open(late)
	require.Empty(f.t, f.viewOf(f.pool, 0, last+1).Rows, "an opening creates no row")
	created := f.create(last + 1)
	f.open(late)
	row, _ := f.row(last + 1)
	require.Equal(f.t, store.Row{Worker: last + 1, Nonce: created}, row)
	o := f.opening(created, last+1)
	f.open(o)
	late.high, late.created = late.high+1000, created
	f.open(late)
	row, _ = f.row(last + 1)
	assert.Equal(f.t, o.high, row.High, "a row is opened only once")
	assert.Equal(f.t, o.nonce, row.Nonce)
}

// testManyRows: more than fit one request of most clients, created and opened in one call.
func testManyRows(f *fixture) {
	f.pool = pool(unit)
	var all []int64
	for id := range f.many {
		all = append(all, id)
	}
	leasetest.MakeHead(f.t, f.store, f.pool)
	o := f.opening(f.create(all...), all...)
	f.open(o)
	v := f.viewOf(f.pool, 0, f.many)
	require.Len(f.t, v.Rows, len(all))
	for i, row := range v.Rows {
		require.Equal(f.t, store.Row{Worker: int64(i), Nonce: o.nonce, Open: true, High: o.high}, row)
	}
	f.hold(f.many - 1)
	others := f.viewOf(store.Pool{}, 0, 0).Others
	require.Len(f.t, others, 2)
	assert.Equal(f.t, f.many-1, others[f.pool].Worker, "the one that is granted furthest")
	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	assert.Empty(f.t, f.viewOf(f.pool, 0, f.many).Rows)
}

func testViewRange(f *fixture) {
	const all = int64(1<<22 - 1)
	for _, c := range []struct{ from, to, first, last int64 }{
		{first, last, first, last},
		{0, all, first, last},
		{6, 7, 6, 7},
		{8, 8, 8, 8},
		{0, 5, 5, 5},
		{9, 20, 9, 9},
		{0, 4, 1, 0},
		{10, 20, 1, 0},
		{8, 6, 1, 0},
	} {
		v := f.viewOf(f.pool, c.from, c.to)
		require.Len(f.t, v.Rows, int(c.last-c.first+1), "%d to %d", c.from, c.to)
		for i, row := range v.Rows {
			assert.Equal(f.t, c.first+int64(i), row.Worker, "%d to %d", c.from, c.to)
		}
		assert.Empty(f.t, v.Others, "%d to %d", c.from, c.to)
	}
	v := f.view()
	between(f.t, time.Now().Add(-time.Minute), v.Now, time.Now().Add(time.Minute), "the store's clock")
}

// testOthers: each pool of another layout is shown with the row that reaches furthest.
func testOthers(f *fixture) {
	far := f.prepare(7, acquire)
	far.High++
	f.applied(far)
	mine, row := f.pool, f.view().Rows[7-first]
	f.create(last + 1)
	f.pool = pool(time.Minute)
	f.seed()
	theirs := f.pool
	for id := int64(first); id <= last; id++ {
		w := f.prepare(id, release)
		w.High -= id
		f.applied(w)
	}
	furthest, _ := f.row(first)
	f.pool = pool(time.Hour)
	created := f.create(1, 2)

	want := map[store.Pool]store.Row{mine: row, theirs: furthest}
	f.others(f.pool, want)
	want[f.pool] = store.Row{Nonce: created}
	f.others(store.Pool{}, want)
	delete(want, mine)
	f.others(mine, want)
}

// others checks which other pools a view of p shows. Of rows that are unopened, it may show any.
func (f *fixture) others(p store.Pool, want map[store.Pool]store.Row) {
	f.t.Helper()
	v := f.viewOf(p, 0, 0)
	assert.Empty(f.t, v.Rows)
	for p, row := range v.Others {
		if !row.Open {
			row.Worker = 0
			v.Others[p] = row
		}
	}
	assert.Equal(f.t, want, v.Others)
}

// testLayoutsApart: one layout is a part of the other, or differs in its case.
func testLayoutsApart(f *fixture) {
	mine, theirs := f.pool, f.view()
	for _, layout := range []string{strings.ToUpper(mine.Layout), mine.Layout + "1",
		mine.Layout[:len(mine.Layout)-1], "tsw." + mine.Layout} {
		f.pool.Layout = layout
		f.seed()
		f.hold(first)
		f.applied(f.prepare(first, release))
		assert.Equal(f.t, theirs.Rows, f.viewOf(mine, first, last).Rows, layout)
		require.NoError(f.t, f.store.Delete(f.t.Context(), layout))
		assert.Equal(f.t, theirs.Rows, f.viewOf(mine, first, last).Rows, layout)
		f.seed()
	}
	require.NoError(f.t, f.store.Delete(f.t.Context(), mine.Layout))
	assert.Len(f.t, f.viewOf(mine, first, last).Others, 4)
	assert.Len(f.t, f.view().Rows, last-first+1)
}

// testAnotherUnit: rows of other ticks are not taken for rows of these.
func testAnotherUnit(f *fixture) {
	w := f.prepare(first, acquire)
	other := f.pool
	other.Unit = 5 * time.Second
	_, err := f.store.View(f.t.Context(), other, first, last)
	require.ErrorIs(f.t, err, worker.ErrStore)
	w.Pool, w.High = other, other.TickAt(w.Now)
	applied, err := f.store.Write(f.t.Context(), w)
	require.False(f.t, applied, "the write was applied")
	if err != nil {
		require.ErrorIs(f.t, err, worker.ErrStore)
	}
	f.hold(first)
}

// testDelete: of one layout, or of all.
func testDelete(f *fixture) {
	f.hold(first)
	mine := f.pool
	before := f.view()
	f.pool = pool(unit)
	f.seed()
	f.create(last + 1)
	head := f.view()
	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	v := f.viewOf(f.pool, 0, last+1)
	assert.Empty(f.t, v.Rows)
	assert.Equal(f.t, head.Epoch, v.Epoch, "heads stay")
	assert.Equal(f.t, head.Floor, v.Floor, "heads stay")
	assert.Equal(f.t, before.Rows, f.viewOf(mine, first, last).Rows)

	f.seed()
	require.NoError(f.t, f.store.Delete(f.t.Context(), ""))
	assert.Empty(f.t, f.view().Rows)
	v = f.viewOf(mine, first, last)
	assert.Empty(f.t, v.Rows)
	assert.Equal(f.t, before.Floor, v.Floor, "heads stay")
	assert.Empty(f.t, f.viewOf(store.Pool{}, 0, 0).Others)
}

// testDeletedRow: where the rows were deleted, in any way, is an empty place like one that
// never had any. What was written for a deleted row does not make one, nor is it applied to a
// later one.
func testDeletedRow(f *fixture) {
	for _, remove := range f.deletions() {
		f.begin(unit)
		f.hold(first)
		var late []store.Write
		for _, k := range kinds {
			late = append(late, f.prepare(first, k), f.prepare(last, k))
		}
		miss := func() {
			f.t.Helper()
			for _, w := range late {
				f.missed(w)
			}
		}
		remove()
		miss()
		for _, p := range []store.Pool{f.pool, pool(time.Hour), {}} {
			f.empty(p)
			require.NoError(f.t, f.store.Delete(f.t.Context(), p.Layout), "nothing is left to delete")
		}
		created := f.create(workers()...)
		leasetest.MakeHead(f.t, f.store, f.pool)
		miss()
		f.open(f.opening(created, workers()...))
		miss()
		f.hold(first)
		miss()
	}
}

// deletions are the ways to delete all rows of a place that has one layout.
func (f *fixture) deletions() []func() {
	all := []func(){
		func() { require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout)) },
		func() { require.NoError(f.t, f.store.Delete(f.t.Context(), "")) },
	}
	if f.hands != nil {
		all = append(all, f.hands(f.t, f.store).DeleteAll)
	}
	return all
}

func (f *fixture) empty(p store.Pool) {
	f.t.Helper()
	v := f.viewOf(p, 0, 1023)
	assert.Empty(f.t, v.Rows)
	assert.Empty(f.t, v.Others)
	between(f.t, time.Now().Add(-time.Minute), v.Now, time.Now().Add(time.Minute), "the store's clock")
	if f.restart != nil {
		assert.NotEmpty(f.t, v.Server, "the incarnation")
	}
}

// testContextEnded: every method says so.
func testContextEnded(f *fixture) {
	w := f.prepare(first, acquire)
	ctx, cancel := context.WithCancel(f.t.Context())
	cancel()
	none := w
	none.Pool = pool(unit)
	for what, call := range leasetest.Calls(ctx, f.store, none) {
		assert.ErrorIs(f.t, call(), context.Canceled, what)
	}
	_, err := f.store.Write(ctx, w)
	require.ErrorIs(f.t, err, context.Canceled)
	f.applied(f.prepare(first, extend)) // and serves again; whether it was acquired is not known
}
