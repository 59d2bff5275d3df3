package storetest

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// What people do to a store, by hand or with the command, beside the holders.

// testFree: a row that is freed keeps its High, and only Steal takes one from a
// holder that is alive.
func testFree(f *fixture) {
	f.begin(brisk)
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	c := f.claim()
	c.Owner = "an operator"
	_, err := worker.Free(f.t.Context(), f.store, c, f.pool, one.WorkerID())
	if err == nil { // it was not renewed in time, which is no fault of the store's
		f.awaitLoss(one)
		return
	}
	require.ErrorIs(f.t, err, worker.ErrHeld)
	assert.NoError(f.t, one.Err())

	v, err := worker.Steal(f.t.Context(), f.store, c, f.pool, one.WorkerID())
	require.NoError(f.t, err)
	require.Len(f.t, v.Rows, 1, "the row as it was")
	f.awaitLoss(one)
	assert.ErrorIs(f.t, one.Err(), worker.ErrFenced)
	assert.NotErrorIs(f.t, one.Err(), store.ErrRolledBack, "the store lost nothing")
	row, _ := f.row(one.WorkerID())
	assert.False(f.t, row.Held)
	assert.Equal(f.t, v.Rows[0].High, row.High, "all that was granted counts as minted")

	_, err = worker.Free(f.t.Context(), f.store, c, f.pool, one.WorkerID())
	require.NoError(f.t, err, "nobody holds it")
	after, _ := f.row(one.WorkerID())
	assert.Equal(f.t, row, after, "and it stays as it is")
	_, err = worker.Free(f.t.Context(), f.store, c, f.pool, last+1)
	require.ErrorIs(f.t, err, store.ErrClaim)

	two := f.assign(f.store)
	defer two.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	lo, _ := two.Grant()
	assert.Greater(f.t, lo, row.High)
}

// testWentBack: a row is put back to what it was before its holder was granted
// anything, as a restored backup does. The holder notices, deletes the rows, and takes none
// before.
func testWentBack(f *fixture) {
	f.begin(brisk)
	old, _ := f.row(first)
	c := f.claim()
	c.Last = first
	a := worker.Leased(f.store, c)
	one := f.grantedBy(a)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	var granted int64
	until(f.t, "the row goes back", func() bool {
		w := f.prepare(first, release)
		granted, w.High, w.Owner = w.High, old.High, old.Owner
		applied, err := f.store.Write(f.t.Context(), w)
		require.NoError(f.t, err)
		return applied
	})
	f.awaitLoss(one)
	require.ErrorIs(f.t, one.Err(), store.ErrRolledBack)
	assert.ErrorIs(f.t, one.Err(), worker.ErrFenced)
	assert.ErrorContains(f.t, one.Err(), "quarantine")

	two := f.grantedBy(a)
	defer two.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	lo, _ := two.Grant()
	assert.Greater(f.t, lo, granted, "above all that was granted")
	assert.Len(f.t, f.view().Rows, 1, "the others were deleted")
}

// grantedBy asks for a lease until there is a free row.
func (f *fixture) grantedBy(a worker.Assigner) (lease worker.Lease) {
	f.t.Helper()
	until(f.t, "a row is free", func() bool {
		var err error
		lease, err = f.try(a)
		if !errors.Is(err, worker.ErrAllHeld) {
			require.NoError(f.t, err)
		}
		return err == nil
	})
	return lease
}

// testClockAhead: a process whose clock is far ahead is refused before it writes. It
// neither takes the rows of others, which look expired to it, nor parks any.
func testClockAhead(f *fixture) {
	const ahead = time.Hour
	f.begin(brisk)
	good := f.claim()
	good.TTL = time.Minute
	for range 3 {
		l := f.grantedBy(worker.Leased(f.store, good))
		defer func() {
			assert.NoError(f.t, l.Err(), "nobody fenced it")
			l.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
		}()
	}
	for range 4 { // it is restarted
		_, err := f.try(worker.Leased(f.store, f.claim().OnClock(clock.Real().Ahead(ahead))))
		require.ErrorIs(f.t, err, worker.ErrClock)
		v := f.view()
		for _, row := range v.Rows {
			_, parked := v.Parked(row)
			assert.False(f.t, parked && row.High > v.MaxHigh()+1, "worker id %d is granted until %v, at %v",
				row.Worker, v.Start(row.High), v.Now)
		}
	}
}
