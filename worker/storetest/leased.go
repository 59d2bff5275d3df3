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
	return worker.Need{Unit: f.ns.Unit, MaxID: 1023, Fingerprint: f.ns.Fingerprint}
}

// brisk is a namespace whose windows end soon.
func (f *fixture) brisk() {
	f.ns = namespace(10*time.Millisecond, 50)
	f.init(f.ns)
}

func (f *fixture) claim() worker.Claim {
	return worker.Claim{
		Namespace: f.ns.Name, First: first, Last: last, TTL: 4 * f.ttl, Slack: f.ttl,
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
	f.brisk()
	leases := make([]worker.Lease, last-first+1)
	c := f.claim()
	c.TTL = time.Minute // none of them expires, however busy the machine is
	a := worker.Leased(f.store, c)
	var all errgroup.Group
	for i := range leases {
		all.Go(func() (err error) {
			leases[i], err = f.try(a)
			return err
		})
	}
	err := all.Wait()
	seen := map[int64]bool{}
	for _, l := range leases {
		if l != nil {
			seen[l.WorkerID()] = true
			defer l.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
		}
	}
	require.NoError(f.t, err)
	assert.Len(f.t, seen, len(leases), "each has a worker id of its own")
	_, err = f.try(a)
	require.ErrorIs(f.t, err, worker.ErrAllHeld)
}

// assign gets a lease on the first worker id as soon as it is free.
func (f *fixture) assign(s store.Store) worker.Lease {
	f.t.Helper()
	c := f.claim()
	c.Last = first
	return f.grantedBy(worker.Leased(s, c))
}

func testTakeoverAfterRelease(f *fixture) {
	f.brisk()
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
		f.ns = namespace(time.Hour, 20)
		f.init(f.ns)
		c := f.claim()
		c.Owner, c.Order = "storetest", order
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
	f.brisk()
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

// testLeaseOverRestart: a holder goes on in a new epoch, at or above its floor.
func testLeaseOverRestart(f *fixture) {
	f.brisk()
	one := f.assign(f.store)
	defer one.Release(context.WithoutCancel(f.t.Context()), math.MinInt64)
	_, hi := one.Grant()
	f.restart(f.t)
	until(f.t, "the next grant lies in the new epoch", func() bool {
		one.Want(lastGranted(one) + 1)
		v, err := f.store.View(f.t.Context(), f.ns.Name, first, first)
		lo, now := one.Grant()
		return err == nil && v.Epoch == v.Server && lo >= v.Floor && now > hi
	})
	assert.NoError(f.t, one.Err())
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

func (c *cutStore) View(ctx context.Context, namespace string, first, last int64) (store.View,
	error) {
	if c.broken.Load() {
		return store.View{}, errCut
	}
	return c.Store.View(ctx, namespace, first, last)
}

func (c *cutStore) Write(ctx context.Context, w store.Write) (bool, error) {
	if c.broken.Load() {
		return false, errCut
	}
	return c.Store.Write(ctx, w)
}
