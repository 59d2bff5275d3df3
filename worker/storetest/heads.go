package storetest

import (
	"context"
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// slack is three ticks of a fixture's.
const slack = 3 * unit

// raise sends a Raise, and returns whether it was applied.
func (f *fixture) raise(r store.Raise) bool {
	f.t.Helper()
	applied, err := f.raiser().Raise(f.t.Context(), r)
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
	good := store.Raise{Pool: f.pool, Slack: slack}
	for _, r := range spoiled(good, v.Server) {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	var all errgroup.Group
	var made atomic.Int32
	for range 5 {
		all.Go(func() error {
			applied, err := f.raiser().Raise(f.t.Context(), good)
			if applied {
				made.Add(1)
			}
			return err
		})
	}
	require.NoError(f.t, all.Wait())
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
	good := store.Raise{Pool: f.pool, Epoch: before.Epoch, Floor: before.Floor, Slack: slack}
	for _, r := range append(spoiled(good, ""), good, store.Raise{Pool: f.pool, Slack: slack}) {
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

	good := store.Raise{Pool: f.pool, Epoch: v.Epoch, Floor: v.Floor, Slack: slack}
	for _, r := range spoiled(good, v.Server, "") {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	require.True(f.t, f.raise(good))
	f.raised(v)
	assert.False(f.t, f.raise(good), "once is enough")
	f.applied(f.prepare(first, extend))
}

// testLeaseOverRestart: a holder continues in a new epoch, at or above its floor.
func testLeaseOverRestart(f *fixture) {
	f.begin(brisk)
	one := f.assign(f.store)
	_, hi := one.Grant()
	defer one.Release(context.WithoutCancel(f.t.Context()), hi)
	f.restart(f.t)
	until(f.t, "the next grant lies in the new epoch", func() bool {
		one.Want(lastGranted(one) + 1)
		v, err := f.store.View(f.t.Context(), f.pool, first, first)
		lo, now := one.Grant()
		return err == nil && v.Epoch == v.Server && lo >= v.Floor && now > hi
	})
	assert.NoError(f.t, one.Err())
}

// testFreeAfterRestart: whoever frees a row of another incarnation begins an epoch, as far
// ahead as a holder would: the last tick that may be lost is not the next one's first.
func testFreeAfterRestart(f *fixture) {
	f.hold(first)
	f.restart(f.t)
	before := f.view()
	require.NotEqual(f.t, before.Epoch, before.Server)
	c := f.claim()
	c.Slack = slack
	_, err := worker.Steal(f.t.Context(), f.store, c, f.pool, first)
	require.NoError(f.t, err)
	f.raised(before)
	row, _ := f.row(first)
	assert.False(f.t, row.Held)
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
	require.True(f.t, f.raise(store.Raise{Pool: f.pool, Slack: slack}))
	f.raised(v)
}
