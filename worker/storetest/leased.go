package storetest

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// testOneWriterWins: of many who saw one nonce, exactly one writes.
func testOneWriterWins(f *fixture) {
	const writers, rounds = 6, 15
	f.hold(first)
	for range rounds {
		var all errgroup.Group
		var winners atomic.Int32
		var winner atomic.Pointer[store.Nonce]
		w := f.prepare(first, extend)
		for range writers {
			w := w
			w.Nonce = nonce()
			all.Go(func() error {
				applied, err := f.store.Write(f.t.Context(), w)
				if applied {
					winners.Add(1)
					winner.Store(&w.Nonce)
				}
				return err
			})
		}
		require.NoError(f.t, all.Wait())
		require.Equal(f.t, int32(1), winners.Load(), "writers who won")
		row, _ := f.row(first)
		require.Equal(f.t, *winner.Load(), row.Nonce)
	}
}

func (f *fixture) need() worker.Need {
	return worker.Need{Unit: f.pool.Unit, MaxID: 1023, Fingerprint: f.pool.Layout}
}

// brisk is the unit of ticks that pass quickly: a new row is soon no longer ahead.
const brisk = 10 * time.Millisecond

func (f *fixture) claim() worker.Claim {
	return worker.Claim{
		First: first, Last: last, TTL: 4 * f.ttl, Slack: f.ttl, Owner: "storetest",
		Timeout: time.Minute, // no call hangs, but a busy machine is slow
		Logger:  slog.New(slog.DiscardHandler),
	}
}

// try asks for a lease. A store that never grants one must not hold up the test.
func (f *fixture) try(a worker.Assigner) (worker.Lease, error) {
	ctx, cancel := context.WithTimeout(f.t.Context(), 2*time.Minute)
	defer cancel()
	return a.Assign(ctx, f.need())
}

// testStarters: as many starters as rows all get one, each another.
func testStarters(f *fixture) {
	f.begin(brisk)
	f.starters(math.MinInt64)
	_, err := f.try(worker.Leased(f.store, f.claim()))
	require.ErrorIs(f.t, err, worker.ErrAllHeld)
}

// testStartersFirst: so they do where they find nothing at all.
func testStartersFirst(f *fixture) {
	f.pool = pool(brisk)
	if f.hands != nil {
		f.hands(f.t, f.store).DeleteAll()
	}
	require.NoError(f.t, f.store.Delete(f.t.Context(), ""))
	f.starters(f.view().MaxHigh()) // above what an earlier row may have been granted
	assert.Len(f.t, f.view().Rows, last-first+1)
}

// starters starts as many processes as there are rows. Each gets a worker id that no other
// has, and ticks above one, and keeps it until the test ends.
func (f *fixture) starters(above int64) {
	f.t.Helper()
	leases := make([]worker.Lease, last-first+1)
	c := f.claim()
	c.TTL = time.Minute // none of them expires, however busy the machine is
	var all errgroup.Group
	for i := range leases {
		all.Go(func() (err error) {
			leases[i], err = f.try(worker.Leased(f.store, c))
			return err
		})
	}
	err := all.Wait()
	seen := map[int64]bool{}
	for _, l := range leases {
		if l != nil {
			f.t.Cleanup(func() { l.Release(context.WithoutCancel(f.t.Context()), math.MinInt64) })
			seen[l.WorkerID()] = true
			lo, _ := l.Grant()
			assert.Greater(f.t, lo, above)
		}
	}
	require.NoError(f.t, err)
	assert.Len(f.t, seen, len(leases), "each has a worker id of its own")
}

// assign gets a lease on the first worker id as soon as it is free.
func (f *fixture) assign(s store.Store) worker.Lease {
	f.t.Helper()
	c := f.claim()
	c.Last = first
	return f.grantedBy(worker.Leased(s, c))
}

func testTakeoverAfterRelease(f *fixture) {
	f.begin(brisk)
	one := f.assign(f.store)
	lo, hi := one.Grant()
	require.Less(f.t, lo, hi)
	require.NoError(f.t, one.Release(f.t.Context(), lo+1))

	two := f.assign(f.store)
	defer two.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	again, _ := two.Grant()
	assert.Equal(f.t, one.WorkerID(), two.WorkerID())
	assert.Equal(f.t, lo+2, again, "right above what was minted")
}

// testCleanRestart: whoever starts again may mint at once, though the row that it
// prefers has minted in this tick, which is an hour.
func testCleanRestart(f *fixture) {
	for name, order := range map[string]worker.Order{
		"Spread": worker.Spread, "OldestHeartbeat": worker.OldestHeartbeat,
		"LowestFree": worker.LowestFree,
		"SameOwner":  worker.SameOwner, "OwnerOrOldest": worker.OwnerOrOldest,
	} {
		f.begin(time.Hour)
		c := f.claim()
		c.Order = order
		for range last - first + 1 {
			l, err := f.try(worker.Leased(f.store, c))
			require.NoError(f.t, err)
			lo, _ := l.Grant()
			v := f.view()
			now := v.TickAt(v.Now)
			assert.LessOrEqual(f.t, lo, now, "%s: the first tick granted", name)
			require.NoError(f.t, l.Release(f.t.Context(), now))
		}
	}
}

// testTakeoverAfterExpiry: a holder that the store does not hear is taken over
// above all that it was granted, and knows it as soon as it hears the store.
func testTakeoverAfterExpiry(f *fixture) {
	f.begin(brisk)
	cut := &cutStore{Store: f.store}
	one := f.assign(cut)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	cut.broken.Store(true)
	_, hi := one.Grant()

	two := f.assign(f.store)
	defer two.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	assert.Equal(f.t, one.WorkerID(), two.WorkerID())
	lo, _ := two.Grant()
	assert.Greater(f.t, lo, max(hi, lastGranted(one)), "above what the first was granted")
	assert.NoError(f.t, one.Err(), "a lease that expires may be used up")

	cut.broken.Store(false)
	f.awaitLoss(one)
	assert.ErrorIs(f.t, one.Err(), worker.ErrFenced)
	assert.NoError(f.t, two.Err())
}

// lastGranted is the last tick of a lease's grant.
func lastGranted(l worker.Lease) int64 {
	_, hi := l.Grant()
	return hi
}

func (f *fixture) awaitLoss(l worker.Lease) {
	f.t.Helper()
	timeout := time.After(time.Minute)
	for {
		changed := l.Changed()
		if l.Err() != nil {
			return
		}
		select {
		case <-changed:
		case <-timeout:
			require.Fail(f.t, "the lease does not notice that it is lost")
		}
	}
}

// cutStore is a store whose connection can be cut.
type cutStore struct {
	store.Store
	broken atomic.Bool
}

var errCut = errors.New("the connection is cut")

func (c *cutStore) View(ctx context.Context, p store.Pool, first, last int64) (store.View,
	error) {
	if c.broken.Load() {
		return store.View{}, errCut
	}
	return c.Store.View(ctx, p, first, last)
}

func (c *cutStore) Write(ctx context.Context, w store.Write) (bool, error) {
	if c.broken.Load() {
		return false, errCut
	}
	return c.Store.Write(ctx, w)
}
