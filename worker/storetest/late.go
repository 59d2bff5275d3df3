package storetest

import (
	"context"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// testInitLate: an Init is about to make its namespace when another one does, somebody
// deletes that again, and its worker ids are given away. It makes nothing any more.
func testInitLate(f *fixture) {
	h := f.hands(f.t, f.store)
	f.ns = namespace(time.Hour, 20)
	other := f.ns
	other.Name, other.First = f.ns.Name+"-2", f.ns.Last
	late := &delayed{Catalog: h.Catalog, meanwhile: func() error {
		require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
		h.DropNamespace(f.ns.Name)
		return f.store.Init(f.t.Context(), other, store.InitOptions{})
	}}
	require.ErrorIs(f.t, store.Init(f.t.Context(), late, f.ns, store.InitOptions{}), store.ErrOverlap)
	_, err := f.store.View(f.t.Context(), f.ns.Name, f.ns.First, f.ns.Last)
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
}

// testInitWiderLate: a namespace once had the worker ids that it is to get again, as the
// record still shows. While it is being given them, another one does not get them.
func testInitWiderLate(f *fixture) {
	h := f.hands(f.t, f.store)
	all := namespace(time.Hour, 20)
	f.init(all)
	h.DropNamespace(all.Name)
	less := all
	less.Last--
	f.init(less)
	other := all
	other.Name, other.First = all.Name+"-2", all.Last
	late := &delayed{Catalog: h.Catalog, meanwhile: func() error {
		require.ErrorIs(f.t, f.store.Init(f.t.Context(), other, store.InitOptions{}), store.ErrOverlap)
		return nil
	}}
	require.NoError(f.t, store.Init(f.t.Context(), late, all, store.InitOptions{}))
	require.Equal(f.t, all.Last, f.view().Last)
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), other, store.InitOptions{}), store.ErrOverlap)
}

// testInitBroken: an Init that gives a namespace more worker ids is broken off. Doing it
// again without them does not make them look as if nothing had happened.
func testInitBroken(f *fixture) {
	h := f.hands(f.t, f.store)
	f.ns = namespace(time.Hour, 20)
	f.init(f.ns)
	wider, other := f.ns, f.ns
	wider.Last++
	other.Name, other.First, other.Last = f.ns.Name+"-2", wider.Last, wider.Last
	broken := &delayed{Catalog: h.Catalog, meanwhile: func() error { return context.DeadlineExceeded }}
	require.ErrorIs(f.t, store.Init(f.t.Context(), broken, wider, store.InitOptions{}),
		context.DeadlineExceeded)
	f.init(f.ns)
	err := f.store.Init(f.t.Context(), other, store.InitOptions{})
	require.ErrorIs(f.t, err, store.ErrOverlap)
	require.ErrorContains(f.t, err, "run it again")
	f.init(wider)
	f.ns = wider
	require.Equal(f.t, wider.Last, f.view().Last)
}

// testInitRefusedLate: an Init finds that its namespace cannot be made, when another one has just
// made it. It takes back nothing that is the other's now.
func testInitRefusedLate(f *fixture) {
	h := f.hands(f.t, f.store)
	f.ns = namespace(time.Hour, 20)
	other := f.ns
	other.Name += "-2"
	refused := &delayed{Catalog: h.Catalog, meanwhile: func() error {
		f.init(f.ns)
		return store.ErrNamespace
	}}
	require.ErrorIs(f.t, store.Init(f.t.Context(), refused, f.ns, store.InitOptions{}),
		store.ErrNamespace)
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), other, store.InitOptions{}), store.ErrOverlap)
}

// testRowsLate: an Init has decided where its rows begin, and is paused. Another one makes the
// namespace, it is used, and loses a row. That one is not made again as it would have been.
func testRowsLate(f *fixture) {
	h := f.hands(f.t, f.store)
	f.ns = namespace(time.Millisecond, 20)
	for _, what := range []string{"the namespace is made", "a row is made again",
		"a row is lost meanwhile"} {
		lost := int64(last)
		if what == "a row is lost meanwhile" {
			lost = first
		}
		var granted int64
		late := &delayed{Catalog: h.Catalog, decided: func(begin int64) {
			f.init(f.ns)
			granted = f.grantBeyond(max(begin, f.view().Floor), lost)
			h.DropRow(f.ns.Name, lost)
		}}
		require.NoError(f.t, store.Init(f.t.Context(), late, f.ns, store.InitOptions{Fresh: true}), what)
		f.init(f.ns)
		row, v := f.row(lost)
		assert.Greater(f.t, v.Next(row), granted, what)
		h.DropRow(f.ns.Name, last)
	}
}

// delayed is a Catalog with something that happens before a namespace is made for the
// first time, or when it is known where it begins.
type delayed struct {
	store.Catalog
	meanwhile func() error
	decided   func(begin int64)
}

func (d *delayed) Make(ctx context.Context, n, have store.Namespace, space string,
	floor func(time.Time) int64) (bool, error) {
	if do := d.meanwhile; do != nil {
		d.meanwhile = nil
		if err := do(); err != nil {
			return false, err
		}
	}
	return d.Catalog.Make(ctx, n, have, space, func(now time.Time) int64 {
		begin := floor(now)
		if do := d.decided; do != nil {
			d.decided = nil
			do(begin)
		}
		return begin
	})
}
