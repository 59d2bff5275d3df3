package storetest

import (
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// slack is three ticks of a fixture's.
const slack = 3 * unit

// raise sends a Raise, and returns whether it was applied.
func (f *fixture) raise(r store.Raise) bool {
	f.t.Helper()
	applied, err := f.store.(store.Raiser).Raise(f.t.Context(), r)
	require.NoError(f.t, err)
	return applied
}

// spoiled are the raises that differ from a good one in one way.
func spoiled(good store.Raise, names ...string) (all []store.Raise) {
	for _, spoil := range []func(r *store.Raise){
		func(r *store.Raise) { r.Epoch += "x" },
		func(r *store.Raise) { r.Floor++ },
		func(r *store.Raise) { r.Floor-- },
	} {
		r := good
		spoil(&r)
		all = append(all, r)
	}
	for _, name := range names {
		r := good
		r.Epoch = name
		all = append(all, r)
	}
	return all
}

// raised checks the head that a Raise has left, which was sent after before was seen.
func (f *fixture) raised(before store.View) {
	f.t.Helper()
	after := f.view()
	assert.Equal(f.t, before.Server, after.Epoch)
	assert.Equal(f.t, before.Server, after.Server)
	assert.GreaterOrEqual(f.t, after.Floor, before.Opening(before.Now, slack)+1)
	assert.LessOrEqual(f.t, after.Floor, after.Opening(after.Now, slack)+1)
}

// testRaiseFirst: a pool without a head is not written. Its head is made once, and begins
// above all that may have been granted.
func testRaiseFirst(f *fixture) {
	old, theirs := f.pool, f.view()
	f.pool = pool(unit)
	created := f.create(first)
	f.open(f.opening(created, first))
	v := f.view()
	require.Empty(f.t, v.Epoch)
	require.Zero(f.t, v.Floor)
	require.NotEmpty(f.t, v.Server, "the incarnation")
	f.missed(f.prepare(first, acquire))
	byNewName := f.prepare(first, acquire)
	byNewName.Epoch = v.Server
	f.missed(byNewName)
	good := store.Raise{Pool: f.pool, Margin: slack}
	for _, r := range spoiled(good, v.Server) {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	var made atomic.Int32
	f.together(5, func(int) error {
		applied, err := f.store.(store.Raiser).Raise(f.t.Context(), good)
		if applied {
			made.Add(1)
		}
		return err
	})
	assert.Equal(f.t, int32(1), made.Load(), "one makes it")
	f.raised(v)
	assert.Equal(f.t, v.Rows, f.view().Rows)
	f.missed(byNewName) // it has not seen the floor
	f.hold(first)
	f.pool = old
	assert.Equal(f.t, theirs.Floor, f.view().Floor, "another layout's")
}

// testRaiseInVain: while the server is the one that the floor was set for,
// nothing is raised.
func testRaiseInVain(f *fixture) {
	before := f.view()
	good := store.Raise{Pool: f.pool, Epoch: before.Epoch, Floor: before.Floor, Margin: slack}
	for _, r := range append(spoiled(good, ""), good, store.Raise{Pool: f.pool, Margin: slack}) {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	after := f.view()
	assert.Equal(f.t, before.Epoch, after.Epoch)
	assert.Equal(f.t, before.Floor, after.Floor)
	assert.Equal(f.t, before.Rows, after.Rows)
}

// testRestart: another incarnation of the server grants nothing before the floor
// is raised above all that the last one may have granted and lost.
func testRestart(f *fixture) {
	f.hold(first)
	old := f.view()
	require.Equal(f.t, old.Epoch, old.Server, "the incarnation stays the same")
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

	good := store.Raise{Pool: f.pool, Epoch: v.Epoch, Floor: v.Floor, Margin: slack}
	for _, r := range spoiled(good, v.Server, "") {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	require.True(f.t, f.raise(good))
	f.raised(v)
	assert.False(f.t, f.raise(good), "once is enough")
	f.applied(f.prepare(first, extend))
}

// testHeadByHand: the server is another one, which may have lost what it acknowledged, and
// somebody deletes the head that would show it. What a head is made with lies above that.
func testHeadByHand(f *fixture) {
	h := f.hands(f.t, f.store)
	f.underHolders(func() {
		f.restart(f.t)
		h.DeleteHead(f.pool.Layout)
	}, func() { h.DeleteHead(f.pool.Layout) })
	h.DeleteHead(f.pool.Layout)
	v := f.view()
	require.Empty(f.t, v.Epoch, "it is gone")
	require.Zero(f.t, v.Floor, "it is gone")
	require.True(f.t, f.raise(store.Raise{Pool: f.pool, Margin: slack}))
	f.raised(v)
}
