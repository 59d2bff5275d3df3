package storetest

import (
	"math"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// byHand are tests of what becomes of a store that people change by hand, above all of
// what Init makes of it.
var byHand = []testCase{
	{"made again with a shorter window", testMadeAgainShorter},
	{"made again under another name", testMadeAgainElsewhere},
	{"worker ids that come back to rows that were left", testRowsLeft},
	{"rows that were left count other ticks", testRowsLeftOfOtherTicks},
	{"a removal that breaks off", testRemoveBreaksOff},
	{"an Init that comes too late", testInitLate},
	{"an Init that gets more worker ids late", testInitWiderLate},
	{"an Init that is refused late", testInitRefusedLate},
	{"an Init that was interrupted", testInitBroken},
	{"an Init that was interrupted", testInitInterrupted},
	{"a namespace that is lost under its holder", testNamespaceLost},
	{"a row that is lost", testRowLost},
	{"a namespace that was deleted", testNamespaceDropped},
	{"a row that was deleted", testRowDropped},
	{"a window that was edited", testWindowEdited},
	{"a record that was deleted", testSpaceDropped},
}

// grantAll has every row granted as far as can be, and returns the last tick.
func (f *fixture) grantAll() (last int64) {
	f.t.Helper()
	for _, row := range f.view().Rows {
		w := f.prepare(row.Worker, acquire)
		w.High = max(w.High, f.ns.TickAt(w.Now)+f.ns.Window) // by the clock of the write: time goes on
		w.TTL = 0
		f.applied(w)
		last = max(last, w.High)
	}
	return last
}

// grantBeyond has a row granted more until that lies above a floor, and returns the last tick.
func (f *fixture) grantBeyond(floor, id int64) (last int64) {
	f.t.Helper()
	until(f.t, "it is granted more", func() bool {
		w := f.prepare(id, acquire)
		w.TTL = 0
		if applied, err := f.store.Write(f.t.Context(), w); err == nil && applied {
			last = w.High
		}
		return last > floor
	})
	return last
}

// drop deletes a namespace and all its rows.
func (f *fixture) drop(h Hands) {
	h.DropNamespace(f.ns.Name)
	for id := f.ns.First; id <= f.ns.Last; id++ {
		h.DropRow(f.ns.Name, id)
	}
}

// behind: every grant of every row lies behind this tick.
func (f *fixture) behind(granted int64) {
	f.t.Helper()
	v := f.view()
	for _, row := range v.Rows {
		assert.Greater(f.t, max(row.High+1, v.Floor), granted, "worker id %d", row.Worker)
	}
}

// testMadeAgainShorter: the floor lies above the longest window that there was,
// whatever the new one is, and whatever its operator believes.
func testMadeAgainShorter(f *fixture) {
	h := f.hands(f.t, f.store)
	granted := f.grantAll()
	for _, o := range []store.InitOptions{{}, {Fresh: true}, {Fresh: true, Apart: true},
		{RequireRecord: true}} {
		f.drop(h)
		f.ns.Window = 2
		require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, o))
		f.behind(granted)
	}
}

// testMadeAgainElsewhere: the worker ids of a namespace that is gone are taken over.
func testMadeAgainElsewhere(f *fixture) {
	h := f.hands(f.t, f.store)
	granted := f.grantAll()
	f.drop(h)
	was := f.ns
	f.ns.Name, f.ns.Window, f.ns.First = f.ns.Name+"-2", 2, f.ns.First+1
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{Fresh: true}))
	f.behind(granted)
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), was, store.InitOptions{}), store.ErrOverlap,
		"they are another's now")
	was.Last = was.First
	require.NoError(f.t, f.store.Init(f.t.Context(), was, store.InitOptions{}), "this one is not")
	f.ns = was
	f.behind(granted)
}

// testNamespaceDropped: rows that are left stay as they are, and the floor lies
// above them.
func testNamespaceDropped(f *fixture) {
	h := f.hands(f.t, f.store)
	granted := f.grantAll()
	before := f.view()
	h.DropNamespace(f.ns.Name)
	_, err := f.store.View(f.t.Context(), f.ns.Name, first, last)
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{Fresh: true}))
	assert.Equal(f.t, before.Rows, f.view().Rows)
	assert.Greater(f.t, f.view().Floor, granted)
}

// testRowsLeft: a namespace is deleted and its rows are not; it is made again without
// its last worker id, which another has meanwhile. When that one is gone and the worker
// id comes back, the row that was left knows nothing of what was granted with it.
func testRowsLeft(f *fixture) {
	h := f.hands(f.t, f.store)
	all := namespace(time.Millisecond, 20)
	f.init(all)
	f.ns = all
	late := f.prepare(all.Last, acquire)
	h.DropNamespace(all.Name)
	other := all
	other.Name, other.First = all.Name+"-2", all.Last
	require.NoError(f.t, f.store.Init(f.t.Context(), other, store.InitOptions{}))
	f.ns.Last--
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
	floor := f.view().Floor
	f.refuses(late)

	f.ns = other
	granted := f.grantBeyond(floor, other.First)
	f.drop(h)
	f.ns = all
	require.NoError(f.t, f.store.Init(f.t.Context(), all, store.InitOptions{Fresh: true}))
	f.behind(granted)
}

// refuses: a row that was left is not shown and not written, since another namespace has that
// worker id, whoever asks for it.
func (f *fixture) refuses(late store.Write) {
	f.t.Helper()
	v, err := f.store.View(f.t.Context(), f.ns.Name, 0, math.MaxInt64)
	require.NoError(f.t, err)
	require.Len(f.t, v.Rows, int(f.ns.Last-f.ns.First+1))
	assert.Equal(f.t, f.ns.Last, v.Rows[len(v.Rows)-1].Worker)
	v, err = f.store.View(f.t.Context(), f.ns.Name, late.Worker, late.Worker)
	require.NoError(f.t, err)
	assert.Empty(f.t, v.Rows)
	for _, high := range []int64{v.TickAt(v.Now), v.MaxHigh()} {
		late.Epoch, late.Floor, late.High, late.Now = v.Epoch, v.Floor, high, v.Now
		f.missed(late)
		late.Acquire = false
		f.missed(late)
	}
}

// testRowsLeftOfOtherTicks: a High that was counted in milliseconds is not taken for one of
// minutes, which would close the namespace for thousands of years, and then its layout.
// Rows say their unit, or Init says that they make no sense, and is not in the way of a
// namespace of another name.
func testRowsLeftOfOtherTicks(f *fixture) {
	h := f.hands(f.t, f.store)
	was := namespace(time.Millisecond, 20)
	f.init(was)
	h.DropNamespace(was.Name)
	all, above := namespace(time.Minute, 20), namespace(time.Minute, 20)
	all.Name, all.Last = was.Name, was.Last+3
	above.Name, above.Fingerprint, above.First, above.Last = was.Name, all.Fingerprint, was.Last+1,
		all.Last
	f.ns = above
	f.init(above)
	f.soon()
	f.ns = all
	if err := f.store.Init(f.t.Context(), all, store.InitOptions{}); err != nil {
		f.nonsense(err, was)
		h.DropNamespace(all.Name)
		f.nonsense(f.store.Init(f.t.Context(), all, store.InitOptions{}), was)
		for id := was.First; id <= was.Last; id++ {
			h.DropRow(was.Name, id)
		}
		f.init(all)
	}
	f.soon()
}

// nonsense: an Init was refused because of rows that was has left, and has reserved nothing.
func (f *fixture) nonsense(err error, was store.Namespace) {
	f.t.Helper()
	require.ErrorIs(f.t, err, store.ErrNamespace)
	assert.ErrorContains(f.t, err, "delete these rows")
	other := f.ns
	other.Name, other.First, other.Last = f.ns.Name+"-2", was.First, was.Last
	f.init(other)
	require.NoError(f.t, f.remover().Remove(f.t.Context(), other.Name, store.RemoveOptions{}))
}

// testRemoveBreaksOff: a removal ends after its first step. Nothing is left that could be
// taken for something else.
func testRemoveBreaksOff(f *fixture) {
	h := f.hands(f.t, f.store)
	u, ok := h.Catalog.(store.Deleter)
	if !ok {
		f.t.Skip("the store is no store.Remover")
	}
	was := namespace(time.Millisecond, 20)
	f.init(was)
	f.ns = was
	granted := f.grantAll()
	deleted, err := u.Delete(f.t.Context(), f.view().Namespace)
	require.NoError(f.t, err)
	require.True(f.t, deleted)
	f.ns = namespace(time.Minute, 20)
	f.ns.Name, f.ns.Last = was.Name, was.Last-1
	f.init(f.ns)
	f.soon()
	require.NoError(f.t, f.remover().Remove(f.t.Context(), f.ns.Name, store.RemoveOptions{}))
	f.ns = was
	f.init(was)
	f.behind(granted)
	f.soon()
}

// soon: grants of all rows begin within days.
func (f *fixture) soon() {
	f.t.Helper()
	v := f.view()
	for _, row := range v.Rows {
		assert.Less(f.t, v.Start(v.Next(row)).Sub(v.Now), 30*24*time.Hour, "worker id %d", row.Worker)
	}
}

// testRowDropped: it is made anew above all that it may have been granted.
func testRowDropped(f *fixture) {
	h := f.hands(f.t, f.store)
	granted := f.grantAll()
	before := f.view()
	h.DropRow(f.ns.Name, first)
	h.DropRow(f.ns.Name, last)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{Fresh: true}))
	v := f.view()
	assert.Equal(f.t, before.Namespace, v.Namespace)
	assert.Equal(f.t, before.Rows[1:last-first], v.Rows[1:last-first])
	assert.GreaterOrEqual(f.t, v.Rows[0].High, granted)
	assert.GreaterOrEqual(f.t, v.Rows[last-first].High, granted)
}

// testWindowEdited: nothing is granted by settings that Init did not make.
func testWindowEdited(f *fixture) {
	h := f.hands(f.t, f.store)
	granted := f.grantAll()
	h.SetWindow(f.ns.Name, f.ns.Window+1)
	_, err := f.store.View(f.t.Context(), f.ns.Name, first, last)
	require.ErrorIs(f.t, err, store.ErrNamespace)
	assert.ErrorContains(f.t, err, "edited")
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}), store.ErrNamespace)
	h.SetWindow(f.ns.Name, f.ns.Window)
	f.view()

	h.SetWindow(f.ns.Name, f.ns.Window+1)
	h.DropNamespace(f.ns.Name) // the way out that the error names
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
	f.behind(granted)
}

// testSpaceDropped: the namespaces that are there are known all the same, and of
// others the worst is supposed.
func testSpaceDropped(f *fixture) {
	h := f.hands(f.t, f.store)
	h.DropSpace(f.ns.Fingerprint)
	other := f.ns
	other.Name += "-2"
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), other, store.InitOptions{Fresh: true}),
		store.ErrOverlap)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{RequireRecord: true}),
		"its own past is known")

	granted := f.grantAll()
	h.DropSpace(f.ns.Fingerprint)
	f.drop(h)
	f.ns.Window = 2
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{RequireRecord: true}),
		store.ErrUnknownPast)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
	f.behind(granted)
	v := f.view()
	assert.GreaterOrEqual(f.t, v.Floor, v.TickAt(v.Now.Add(store.MaxWindow(time.Hour)-time.Minute)))
}
