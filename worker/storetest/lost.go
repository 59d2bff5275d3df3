package storetest

import (
	"context"
	"math"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// testNamespaceLost: a namespace that vanishes ends its leases, unless these do not need
// it, and nothing but Init makes it again.
func testNamespaceLost(f *fixture) {
	h := f.hands(f.t, f.store)
	f.brisk()
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	h.DropNamespace(f.ns.Name)
	if f.separate {
		f.goesOn(one)
	} else {
		until(f.t, "the lease ends", func() bool {
			one.Want(math.MaxInt64)
			return one.Err() != nil
		})
		require.ErrorIs(f.t, one.Err(), store.ErrNoNamespace)
		assert.NotErrorIs(f.t, one.Err(), worker.ErrFenced, "what was granted may be used up")
	}
	_, err := f.try(worker.Leased(f.store, f.claim()))
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
	_, err = f.store.View(f.t.Context(), f.ns.Name, first, last)
	require.ErrorIs(f.t, err, store.ErrNoNamespace)
}

// goesOn waits until a lease is granted more.
func (f *fixture) goesOn(l worker.Lease) {
	f.t.Helper()
	_, hi := l.Grant()
	until(f.t, "it is granted more", func() bool {
		l.Want(math.MaxInt64)
		_, now := l.Grant()
		return now > hi
	})
	require.NoError(f.t, l.Err())
}

// testRowLost: a row that vanishes ends its lease; the others serve.
func testRowLost(f *fixture) {
	h := f.hands(f.t, f.store)
	f.brisk()
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	w := f.prepare(first, extend)
	h.DropRow(f.ns.Name, first)
	applied, err := f.store.Write(f.t.Context(), w)
	assert.False(f.t, applied)
	if err != nil {
		require.ErrorIs(f.t, err, store.ErrNoNamespace)
	}
	f.awaitLoss(one)
	require.ErrorIs(f.t, one.Err(), store.ErrNoNamespace)
	v, err := f.store.View(f.t.Context(), f.ns.Name, first, last)
	require.NoError(f.t, err)
	assert.Len(f.t, v.Rows, last-first, "the others")
	f.hold(last)
}

// testInitInterrupted: an Init makes rows first and the namespace last. One that was
// interrupted before that goes on where it was.
func testInitInterrupted(f *fixture) {
	h := f.hands(f.t, f.store)
	before := f.view()
	h.DropNamespace(f.ns.Name)
	h.DropRow(f.ns.Name, last)
	require.NoError(f.t, f.store.Init(f.t.Context(), f.ns, store.InitOptions{}))
	after := f.view()
	assert.Equal(f.t, before.Rows[:last-first], after.Rows[:last-first], "rows that were there stay")
	assert.Greater(f.t, after.Floor, before.Floor, "above all that was granted on them")
}
