package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// ledger is every tick that was minted, with the worker id that it was minted with.
type ledger struct {
	mu     sync.Mutex
	ticks  map[[2]int64]bool
	twices []string
}

func (l *ledger) mint(worker, lo, hi int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	twice := 0
	for tick := lo; tick <= hi; tick++ {
		if id := [2]int64{worker, tick}; l.ticks[id] {
			twice++
		} else {
			l.ticks[id] = true
		}
	}
	if twice > 0 {
		l.twices = append(l.twices,
			fmt.Sprintf("worker id %d: %d ticks from %d to %d", worker, twice, lo, hi))
	}
}

// minter is a process that mints all that it is granted, as soon as it is granted it. When
// its lease is lost it takes another.
type minter struct {
	assigner worker.Assigner
	minted   atomic.Int64 // ticks
	err      atomic.Value // why it has no lease, at last
}

func (m *minter) run(ctx context.Context, n worker.Need, l *ledger) {
	for ctx.Err() == nil {
		lease, err := m.assigner.Assign(ctx, n)
		if err != nil { // as after a crash, it starts again
			m.err.Store(err.Error())
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Millisecond):
			}
			continue
		}
		last := m.mint(ctx, lease, l)
		lease.Release(context.WithoutCancel(ctx), last)
	}
}

// mint mints until ctx ends, or the lease does and all that it was granted is used up. It
// returns the last tick.
func (m *minter) mint(ctx context.Context, lease worker.Lease, l *ledger) (last int64) {
	last = math.MinInt64
	for ctx.Err() == nil {
		changed := lease.Changed()
		err := lease.Err()
		lo, hi := lease.Grant()
		if errors.Is(err, worker.ErrFenced) {
			break
		}
		if lo = max(lo, last+1); lo <= hi {
			l.mint(lease.WorkerID(), lo, hi)
			m.minted.Add(hi - lo + 1)
			last = hi
			lease.Want(last + 1) // shows what was granted apart from that, too
			continue
		}
		if err != nil {
			break
		}
		lease.Want(last + 1)
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return last
}

// underHolders does each of these things to the store, several times, while processes mint.
// Each mints again after each of them, and no two of them the same tick with one worker id.
func (f *fixture) underHolders(doings ...func()) {
	f.t.Helper()
	f.begin(brisk)
	ctx, stop := context.WithCancel(f.t.Context())
	l := &ledger{ticks: map[[2]int64]bool{}}
	var minters [3]minter
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for i := range minters {
		m := &minters[i]
		m.assigner = worker.Leased(f.store, f.claim())
		all.Go(func() { m.run(ctx, f.need(), l) })
	}
	f.mintOn(minters[:], "at first")
	for _, do := range doings {
		for round := range 3 {
			do()
			f.mintOn(minters[:], fmt.Sprintf("afterwards, in round %d", round))
		}
	}
	stop()
	all.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	assert.Empty(f.t, l.twices, "minted twice, of %d", len(l.ticks))
}

// mintOn waits until each has minted again, and again: the first may have been under way.
func (f *fixture) mintOn(minters []minter, when string) {
	f.t.Helper()
	for i := range minters {
		m := &minters[i]
		for range 2 {
			had := m.minted.Load()
			for begin := time.Now(); m.minted.Load() == had; time.Sleep(time.Millisecond) {
				if time.Since(begin) > time.Minute {
					require.FailNow(f.t, "a process mints nothing "+when, "its last error: %v", m.err.Load())
				}
			}
		}
	}
}

// testDeletedUnderHolder: the holder of a row that was deleted uses up what it was granted.
// A new row of the same worker id begins above that.
func testDeletedUnderHolder(f *fixture) {
	f.begin(brisk)
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	f.deleteRow(first)
	f.awaitLoss(one)
	require.ErrorIs(f.t, one.Err(), worker.ErrDeleted)
	assert.NotErrorIs(f.t, one.Err(), worker.ErrFenced)
	lo, hi := one.Grant()
	assert.LessOrEqual(f.t, lo, hi, "what was granted may be used up")

	cut := &cutStore{Store: f.store}
	two := f.assign(cut)
	defer two.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	require.Equal(f.t, one.WorkerID(), two.WorkerID())
	lo, _ = two.Grant()
	assert.Greater(f.t, lo, hi)
	cut.broken.Store(true)
	f.deleteRow(first)
	three := f.assign(f.store)
	defer three.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	require.Equal(f.t, two.WorkerID(), three.WorkerID())
	lo, _ = three.Grant()
	assert.Greater(f.t, lo, lastGranted(two))
	assert.NoError(f.t, two.Err(), "it does not know yet")
	cut.broken.Store(false)
	f.awaitLoss(two)
	assert.ErrorIs(f.t, two.Err(), worker.ErrFenced, "another has the worker id")
	assert.NoError(f.t, three.Err())
}

// deleteRow deletes a row by hand, or all where there are no hands.
func (f *fixture) deleteRow(id int64) {
	f.t.Helper()
	if f.hands == nil {
		require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
		return
	}
	f.hands(f.t, f.store).DeleteRow(f.pool.Layout, id)
	assert.Empty(f.t, f.viewOf(f.pool, id, id).Rows)
}

// testDeletedUnderHolders: deleting rows is safe at any time.
func testDeletedUnderHolders(f *fixture) {
	for _, layout := range []string{"the layout's", ""} {
		f.underHolders(func() {
			name := layout
			if name != "" {
				name = f.pool.Layout
			}
			require.NoError(f.t, f.store.Delete(f.t.Context(), name))
		})
	}
}

// testByHand: so is deleting anything else.
func testByHand(f *fixture) {
	h := f.hands(f.t, f.store)
	doings := []func(){h.DeleteAll, func() { h.DeleteRow(f.pool.Layout, first) },
		func() { h.DeleteRow(f.pool.Layout, first+1) }}
	if h.DeleteHead != nil {
		doings = append(doings, func() { h.DeleteHead(f.pool.Layout) })
	}
	for _, do := range doings {
		f.underHolders(do)
	}
}

// testNothingLeft: all that the store keeps is deleted, its tables too. That is an empty
// place like any other.
func testNothingLeft(f *fixture) {
	h := f.hands(f.t, f.store)
	var late []store.Write
	for _, k := range kinds {
		late = append(late, f.prepare(first, k))
	}
	h.DeleteAll()
	f.empty(f.pool)
	f.empty(store.Pool{})
	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	require.NoError(f.t, f.store.Delete(f.t.Context(), ""))
	for _, w := range late {
		applied, _ := f.store.Write(f.t.Context(), w)
		assert.False(f.t, applied, "the write was applied")
	}
	f.empty(f.pool)
	f.seed()
	f.hold(first)
}

// testAnotherLayout: of two layouts in one place, the one that comes later is refused as long
// as ids of the other may be minted. After that it deletes their rows.
func testAnotherLayout(f *fixture) {
	f.begin(brisk)
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), lastGranted(one))
	mine := f.pool
	f.pool = pool(brisk)
	c := f.claim()
	_, err := f.try(worker.Leased(f.store, c))
	require.ErrorIs(f.t, err, worker.ErrLayout)
	assert.ErrorContains(f.t, err, "storetest", "who holds it")
	assert.Len(f.t, f.viewOf(mine, first, last).Rows, last-first+1)
	assert.NoError(f.t, one.Err())
	c.AllowOtherLayouts = true
	two := f.grantedBy(worker.Leased(f.store, c))
	require.NoError(f.t, two.Release(f.t.Context(), math.MinInt64))

	f.begin(brisk) // nobody has had these
	late := f.prepare(first, acquire)
	mine = f.pool
	f.pool = pool(brisk)
	c.AllowOtherLayouts = false
	three := f.grantedBy(worker.Leased(f.store, c))
	defer three.Release(context.WithoutCancel(f.t.Context()), lastGranted(three))
	assert.Empty(f.t, f.viewOf(mine, 0, last).Rows)
	applied, err := f.store.Write(f.t.Context(), late)
	require.NoError(f.t, err)
	assert.False(f.t, applied, "the row is gone")
	assert.Empty(f.t, f.viewOf(f.pool, first, last).Others)
}

// testKeys: the keys that worker.Disposable gave out are shown, though their rows were
// deleted, and nobody gets them.
func testKeys(f *fixture) {
	key := f.register(f.t, f.store)
	require.Less(f.t, key, int64(first))
	require.Equal(f.t, key, f.view().Keys)
	f.begin(brisk)
	require.Equal(f.t, key, f.view().Keys, "deleting rows deletes no keys")
	c := f.claim()
	c.First = key
	_, err := f.try(worker.Leased(f.store, c))
	require.ErrorIs(f.t, err, worker.ErrOverlap)
	require.NoError(f.t, f.store.Delete(f.t.Context(), f.pool.Layout))
	c.First, c.Last = 0, 0
	l, err := worker.Leased(f.store, c).Assign(f.t.Context(),
		worker.Need{Unit: f.pool.Unit, MaxID: last, Fingerprint: f.pool.Layout})
	require.NoError(f.t, err)
	defer l.Release(context.WithoutCancel(f.t.Context()), lastGranted(l))
	assert.Greater(f.t, l.WorkerID(), key)
	assert.Empty(f.t, f.viewOf(f.pool, 0, key).Rows)
}
