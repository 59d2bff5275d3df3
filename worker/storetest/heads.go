package storetest

import (
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// ahead is how far ahead of the clock a new floor is.
const ahead = 5

// testHeads checks that a pool whose head is missing, or is of another incarnation of the
// server, is not written before its head is raised above all that may have been granted and
// lost. The head is raised only once.
func testHeads(f *fixture) {
	f.use(pool(unit))
	f.open(f.create(first), first)
	f.raises(ahead)
	f.hold(first)
	server := f.modelled(f.pool, 0, 0).Server
	f.Restart(f.t)
	f.incarnation()
	require.NotEqual(f.t, server, f.modelled(f.pool, 0, 0).Server, "the restart is seen")
	f.raises(ahead + 1)
	f.raises(ahead + 2) // a larger slack in the same epoch
	f.raises(0)         // a floor never falls
	for range 2 {       // the second time there is nothing
		f.do(func(s store.Store) (bool, error) { return s.(store.Raiser).Forget(f.t.Context()) })
	}
	f.raises(1) // a floor may lie below the one that was forgotten
}

// raises sends writes, then raises that differ from a good one, and then several good
// ones at once, with a slack that is not the head's. One of these has to be applied.
func (f *fixture) raises(ahead int64) {
	f.t.Helper()
	v := f.modelled(f.pool, 0, 0)
	slack := v.Slack + time.Second
	late := f.prepare(first, extend)
	f.atOnce(func() {
		for _, k := range kinds {
			for _, epoch := range []string{v.Epoch, v.Server} {
				w := f.prepare(first, k)
				w.Epoch = epoch
				assert.False(f.t, f.write(w) && v.Epoch != v.Server, "no head of this incarnation")
			}
		}
		for _, epoch := range []string{v.Epoch, v.Epoch + "x", v.Server, ""} {
			for _, floor := range []int64{v.Floor, v.Floor + 1, v.Floor - 1, 0} {
				for _, slack := range []time.Duration{v.Slack, v.Slack + time.Millisecond, 0} {
					if head := (store.Head{Epoch: epoch, Floor: floor, Slack: slack}); head != v.Head {
						assert.False(f.t, f.raise(head, ahead, time.Hour), "%+v", head)
					}
				}
			}
		}
	})
	raise := func(s store.Store) (bool, error) {
		return s.(store.Raiser).Raise(f.t.Context(), f.pool, v.Head, ahead, slack)
	}
	var applied atomic.Int32
	f.together(5, func(int) error {
		ok, err := raise(f.store)
		if ok {
			applied.Add(1)
		}
		return err
	})
	assert.EqualValues(f.t, 1, applied.Load())
	ok, err := raise(f.model)
	require.NoError(f.t, err)
	require.True(f.t, ok)
	f.compare()
	head := f.modelled(f.pool, 0, 0).Head
	want := store.Head{Epoch: v.Server, Floor: max(v.Floor, f.pool.TickAt(f.now)+ahead), Slack: slack}
	assert.Equal(f.t, want, head)
	assert.False(f.t, head.Floor > v.Floor && f.write(late), "it has not seen the floor")
}

// testHeadByHand: another server, which may have lost what it acknowledged, has taken over, and
// somebody deletes the head that would show it. A new head begins above what may have been lost.
func testHeadByHand(f *fixture) {
	h := f.Hands(f.t, f.store)
	f.underHolders(func(int64) {
		f.Restart(f.t)
		h.DeleteHead(f.pool.Layout)
	}, func(int64) { h.DeleteHead(f.pool.Layout) })
	h.DeleteHead(f.pool.Layout)
	v, err := f.store.View(f.t.Context(), f.pool, 0, 0)
	require.NoError(f.t, err)
	require.Empty(f.t, v.Epoch, "it is gone")
	require.Zero(f.t, v.Floor, "it is gone")
}
