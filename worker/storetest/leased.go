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

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

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

// assign gets a lease on the first worker id as soon as it is free.
func (f *fixture) assign(s store.Store) worker.Lease {
	f.t.Helper()
	c := f.claim()
	c.Last = first
	return f.grantedBy(worker.Leased(s, c))
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
