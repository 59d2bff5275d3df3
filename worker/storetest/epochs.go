package storetest

import (
	"context"
	"math"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// testQuarantine: the floor rises, and whoever has not seen it cannot write.
func testQuarantine(f *fixture) {
	f.hold(first)
	late := f.prepare(first, extend)
	floor := f.view().Floor + 10
	require.NoError(f.t, f.store.Quarantine(f.t.Context(), f.ns.Name, floor))
	v := f.view()
	assert.Equal(f.t, floor, v.Floor)
	assert.Equal(f.t, v.Server, v.Epoch)
	f.missed(late)
	f.applied(f.prepare(first, extend))

	require.NoError(f.t, f.store.Quarantine(f.t.Context(), f.ns.Name, floor-5))
	assert.Equal(f.t, floor, f.view().Floor, "it never sinks")
}

// testRaiseInVain: while the server is the one that the floor was set for,
// nothing is raised.
func testRaiseInVain(f *fixture) {
	before := f.view()
	for _, r := range []store.Raise{
		{Namespace: f.ns.Name, Epoch: before.Epoch, Floor: before.Floor, Margin: 3},
		{Namespace: f.ns.Name, Epoch: before.Epoch + "x", Floor: before.Floor, Margin: 3},
		{Namespace: f.ns.Name, Epoch: before.Epoch, Floor: before.Floor - 1, Margin: 3},
	} {
		applied, err := f.store.Raise(f.t.Context(), r)
		require.NoError(f.t, err)
		assert.False(f.t, applied)
	}
	after := f.view()
	assert.Equal(f.t, before.Namespace, after.Namespace)
	assert.Equal(f.t, before.Rows, after.Rows)
}

// testRestart: another incarnation of the server grants nothing before the floor
// is raised above all that the last one may have granted and lost.
func testRestart(f *fixture) {
	f.hold(first)
	old := f.view()
	require.Equal(f.t, old.Epoch, f.view().Server, "the incarnation stays the same")
	f.restart(f.t)
	v := f.view()
	require.NotEqual(f.t, v.Epoch, v.Server, "the restart is seen")
	assert.Equal(f.t, old.Rows, v.Rows, "no acknowledged write is lost")
	for _, k := range []kind{extend, release} {
		f.missed(f.prepare(first, k))
	}
	f.missed(f.prepare(last, acquire))
	byNewName := f.prepare(last, acquire)
	byNewName.Epoch = v.Server
	f.missed(byNewName)

	const margin = 3
	good := store.Raise{Namespace: f.ns.Name, Epoch: v.Epoch, Floor: v.Floor, Margin: margin}
	for _, spoil := range []func(r *store.Raise){
		func(r *store.Raise) { r.Epoch = v.Server },
		func(r *store.Raise) { r.Floor++ },
		func(r *store.Raise) { r.Floor-- },
		func(r *store.Raise) { r.Namespace += "x" },
	} {
		r := good
		spoil(&r)
		applied, err := f.store.Raise(f.t.Context(), r)
		assert.False(f.t, applied, "%+v: %v", r, err)
	}
	applied, err := f.store.Raise(f.t.Context(), good)
	require.NoError(f.t, err)
	require.True(f.t, applied)

	raised := f.view()
	assert.Equal(f.t, v.Server, raised.Epoch)
	assert.Equal(f.t, v.Server, raised.Server)
	assert.GreaterOrEqual(f.t, raised.Floor, v.TickAt(v.Now)+v.Window+margin)
	assert.LessOrEqual(f.t, raised.Floor, v.TickAt(raised.Now)+v.Window+margin)
	applied, err = f.store.Raise(f.t.Context(), good)
	require.NoError(f.t, err)
	assert.False(f.t, applied, "once is enough")
	f.applied(f.prepare(first, extend))
}

// testContextEnded: every method says so.
func testContextEnded(f *fixture) {
	w := f.prepare(first, acquire)
	ctx, cancel := context.WithCancel(f.t.Context())
	cancel()
	for what, call := range map[string]func() error{
		"Check": func() error { _, err := f.store.Check(ctx); return err },
		"Init":  func() error { return f.store.Init(ctx, f.ns, store.InitOptions{}) },
		"View": func() error {
			_,
				err := f.store.View(ctx, f.ns.Name, 0, math.MaxInt64)
			return err
		},
		"Write": func() error { _, err := f.store.Write(ctx, w); return err },
		"Raise": func() error {
			_,
				err := f.store.Raise(ctx, store.Raise{Namespace: f.ns.Name})
			return err
		},
		"Quarantine": func() error { return f.store.Quarantine(ctx, f.ns.Name, 1) },
	} {
		assert.ErrorIs(f.t, call(), context.Canceled, what)
	}
	f.applied(f.prepare(first, acquire)) // and serves again
}
