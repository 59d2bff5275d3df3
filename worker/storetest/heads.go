package storetest

import (
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// slack is three ticks of a fixture's.
const slack = 3 * unit

// head is what Raise is called with, besides how far ahead of the clock the floor shall be.
type head struct {
	epoch string
	floor int64
}

// send calls Raise.
func (f *fixture) send(known head) (applied bool, err error) {
	return f.store.(store.Raiser).Raise(f.t.Context(), f.pool, known.epoch, known.floor,
		grants.Ahead(f.pool, slack)+1)
}

// raise calls Raise, and returns whether it was applied.
func (f *fixture) raise(known head) bool {
	f.t.Helper()
	applied, err := f.send(known)
	require.NoError(f.t, err)
	return applied
}

// spoiled are the heads that differ from a good one in one way.
func spoiled(good head, names ...string) []head {
	all := []head{
		{good.epoch + "x", good.floor}, {good.epoch, good.floor + 1}, {good.epoch, good.floor - 1},
	}
	for _, name := range names {
		all = append(all, head{name, good.floor})
	}
	return all
}

// raised checks the head that a Raise has left, which was sent after before was seen.
func (f *fixture) raised(before store.View) {
	f.t.Helper()
	after := f.view()
	assert.Equal(f.t, before.Server, after.Epoch)
	assert.Equal(f.t, before.Server, after.Server)
	assert.GreaterOrEqual(f.t, after.Floor, grants.Opening(before.Pool, before.Now, slack)+1)
	assert.LessOrEqual(f.t, after.Floor, grants.Opening(after.Pool, after.Now, slack)+1)
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
	good := head{}
	for _, r := range spoiled(good, v.Server) {
		assert.False(f.t, f.raise(r), "%+v", r)
	}
	var made atomic.Int32
	f.together(5, func(int) error {
		applied, err := f.send(good)
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
	good := head{before.Epoch, before.Floor}
	for _, r := range append(spoiled(good, ""), good, head{}) {
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

	good := head{v.Epoch, v.Floor}
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
	require.True(f.t, f.raise(head{}))
	f.raised(v)
}
