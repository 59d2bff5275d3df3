package storetest

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker/store"
)

// testInitWider: worker ids that are added can be taken as soon as all that may
// have been granted with them is over; the others are left alone.
func testInitWider(f *fixture) {
	f.hold(first)
	before := f.view()
	f.ns.First, f.ns.Last = first-2, last+3
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{Fresh: true}))
	v := f.view() // it has all rows
	assert.Equal(f.t, before.Rows, v.Rows[2:2+len(before.Rows)])
	assert.Equal(f.t, before.Floor, v.Floor)
	assert.Equal(f.t, [2]int64{first - 2, last + 3}, [2]int64{v.First, v.Last})
	for _, i := range []int{0, 1, len(v.Rows) - 1} {
		assert.False(f.t, v.Rows[i].Held)
		assert.GreaterOrEqual(f.t, v.Rows[i].High, before.TickAt(before.Now)+f.ns.Window)
	}
	f.hold(first + 1)
}

// testInitUnknownPast: nothing tells how far namespaces of this layout were granted.
func testInitUnknownPast(f *fixture) {
	f.ns = namespace(time.Hour, 20)
	err := f.store.Init(f.t.Context(), f.ns, store.InitOptions{RequireRecord: true})
	require.ErrorIs(f.t, err, store.ErrUnknownPast)
	_, err = f.store.View(f.t.Context(), f.ns.Name, first, last)
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns,
		store.InitOptions{RequireRecord: true, Fresh: true}))
	f.ns.Name += "-2"
	f.ns.First, f.ns.Last = 20, 29
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{RequireRecord: true}),
		"there is a record now")
}

// testInitOverlap: a worker id belongs to one namespace of its layout.
func testInitOverlap(f *fixture) {
	f.hold(first)
	before := f.view()
	o := store.InitOptions{Fresh: true, MaxID: 63}
	for _, r := range [][2]int64{{0, first}, {last, 63}, {first + 1, last - 1}, {0, 63}} {
		other := f.ns
		other.Name, other.First, other.Last = f.ns.Name+"-2", r[0], r[1]
		err := f.store.Init(f.t.Context(), other, o)
		require.ErrorIs(f.t, err, store.ErrOverlap)
		for _, say := range []string{fmt.Sprintf("%q has worker ids %d to %d", f.ns.Name, first, last),
			"Apart", " to 63 are free"} {
			assert.ErrorContains(f.t, err, say)
		}
		_, err = f.store.View(f.t.Context(), other.Name, 0, 63)
		require.ErrorIs(f.t, err, store.ErrNoNamespace)
	}
	other := f.ns
	other.Name, other.First, other.Last = f.ns.Name+"-2", last+1, last+5
	require.NoError(f.t, f.store.Init(f.t.Context(), other, o), "beside it")
	f.unchanged(before)

	wider := other
	wider.First = last
	require.ErrorIs(f.t, f.store.Init(f.t.Context(), wider, o), store.ErrOverlap)
	o.Apart = true
	require.NoError(f.t, f.store.Init(f.t.Context(), wider, o), "their ids never meet")
	o.Apart = false
	require.NoError(f.t, f.store.Init(f.t.Context(), wider, o), "that was said once")

	elsewhere := f.ns
	elsewhere.Name, elsewhere.Fingerprint = f.ns.Name+"-3", f.ns.Fingerprint+"-3"
	require.NoError(f.t, f.store.Init(f.t.Context(), elsewhere, o), "another layout")
	f.unchanged(before)
}

// testInitOverlapAtOnce: of several who want the same worker ids, one gets them.
func testInitOverlapAtOnce(f *fixture) {
	for range 3 {
		f.ns = namespace(time.Hour, 20)
		var all errgroup.Group
		var made atomic.Int32
		for i := range 4 {
			n := f.ns
			n.Name = fmt.Sprint(n.Name, ".", i)
			n.First, n.Last = first+int64(i), last+int64(i)
			all.Go(func() error {
				err := f.store.Init(f.t.Context(), n, store.InitOptions{Fresh: true, MaxID: 63})
				if err == nil {
					made.Add(1)
					return nil
				}
				if !assert.ErrorIs(f.t, err, store.ErrOverlap) {
					return err
				}
				return nil
			})
		}
		require.NoError(f.t, all.Wait())
		require.Equal(f.t, int32(1), made.Load(), "namespaces that were made")
	}
}
