// Package leasetest is what the tests of stores on real servers have in common: a small
// pool, what to write into it, and tests of what a store does while its server is
// down, hangs or was killed, and while the clock of its machine is wrong.
//
//	func TestServerDown(t *testing.T) {
//		server, s := durable(t)
//		leasetest.TestServerDown(t, server, s, "check host and port")
//	}
//
// The tests of the contract itself are in package storetest.
package leasetest

import (
	"context"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Need is that of the layout whose pool Make makes.
var Need = worker.Need{Unit: 10 * time.Millisecond, MaxID: 1023, Fingerprint: "a layout"}

// Pool is that of the layout.
var Pool = store.Pool{Layout: Need.Fingerprint, Unit: Need.Unit}

// Make makes rows of the worker ids 0 to 3 that may be taken at once. The first ticks that
// they are granted have passed: nobody had a row before.
func Make(t *testing.T, s store.Store) {
	t.Helper()
	ctx, workers := t.Context(), []int64{0, 1, 2, 3}
	if v := View(t, s); v.Epoch != v.Server {
		_, err := s.(store.Raiser).Raise(ctx, store.Raise{Pool: Pool, Epoch: v.Epoch, Floor: v.Floor})
		require.NoError(t, err)
	}
	created := store.Nonce{1}
	require.NoError(t, s.Create(ctx, store.Creation{Pool: Pool, Workers: workers, Nonce: created}))
	now, err := s.Now(ctx)
	require.NoError(t, err)
	require.NoError(t, s.Open(ctx, store.Opening{Pool: Pool, Workers: workers, Created: created,
		Nonce: store.Nonce{2}, High: Pool.TickAt(now) - 1}))
}

// View returns the store's view of the pool.
func View(t *testing.T, s store.Store) store.View {
	t.Helper()
	v, err := s.View(t.Context(), Pool, 0, 3)
	require.NoError(t, err)
	return v
}

// Extension is a write that extends the row of worker id 0 as v shows it.
func Extension(v store.View) store.Write {
	w := store.Write{
		Pool: v.Pool, Epoch: v.Epoch, Floor: v.Floor,
		Expect: []store.Nonce{v.Rows[0].Nonce}, High: v.Rows[0].High + 1, TTL: time.Minute, Now: v.Now,
	}
	w.Nonce[0] = w.Expect[0][0] + 1
	return w
}

// Acquisition returns a write that acquires the row of worker id 0 as v shows it.
func Acquisition(v store.View) store.Write {
	w := Extension(v)
	w.Acquire = true
	return w
}

// Write sends a write that has to be applied.
func Write(t *testing.T, s store.Store, w store.Write) {
	t.Helper()
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
}

// Extend extends the row of worker id 0.
func Extend(t *testing.T, s store.Store) {
	t.Helper()
	Write(t, s, Extension(View(t, s)))
}

// InTime returns a view of an ensemble that may elect another leader at any time, as it does on
// a busy machine: calls fail meanwhile, and it asks again.
func InTime(t *testing.T, s store.Store) (v store.View) {
	t.Helper()
	require.Eventually(t, func() bool {
		var err error
		v, err = s.View(t.Context(), Pool, 0, 3)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	return v
}

// ExtendInTime extends the row of worker id 0 in such an ensemble.
func ExtendInTime(t *testing.T, s store.Store) {
	t.Helper()
	require.Eventually(t, func() bool {
		v, err := s.View(t.Context(), Pool, 0, 3)
		if err != nil {
			return false
		}
		applied, err := s.Write(t.Context(), Extension(v))
		return applied && err == nil
	}, time.Minute, 10*time.Millisecond)
}

// Acquire acquires the row of worker id 0.
func Acquire(t *testing.T, s store.Store) {
	t.Helper()
	Write(t, s, Acquisition(View(t, s)))
}

// Claim is a claim on any worker id of the pool, of a test that waits for leases to
// end.
func Claim() worker.Claim {
	return worker.Claim{
		TTL: 300 * time.Millisecond, Timeout: time.Minute, Slack: 50 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// Lease is a lease of a claim, which ends with the test.
func Lease(t *testing.T, s store.Store, c worker.Claim) worker.Lease {
	t.Helper()
	l, err := worker.Leased(s, c).Assign(t.Context(), Need)
	require.NoError(t, err)
	// may fail: the server may be gone
	t.Cleanup(func() { l.Release(context.WithoutCancel(t.Context()), math.MinInt64) })
	return l
}

// Soon bounds a call that would wait for a server.
func Soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Calls returns all calls to a store's server. w is a write, which has an epoch if the store
// has heads. The other calls that write are about another row and another layout.
func Calls(ctx context.Context, s store.Store, w store.Write) map[string]func() error {
	other := []int64{4}
	calls := map[string]func() error{
		"Check": func() error { _, err := s.Check(ctx); return err },
		"View":  func() error { _, err := s.View(ctx, Pool, 0, 3); return err },
		"Now":   func() error { _, err := s.Now(ctx); return err },
		"Create": func() error {
			return s.Create(ctx, store.Creation{Pool: Pool, Workers: other, Nonce: store.Nonce{4}})
		},
		"Open": func() error {
			return s.Open(ctx, store.Opening{Pool: Pool, Workers: other, Created: store.Nonce{4},
				Nonce: store.Nonce{5}})
		},
		"Write":  func() error { _, err := s.Write(ctx, w); return err },
		"Delete": func() error { return s.Delete(ctx, "another layout") },
	}
	if w.Epoch != "" { // else there is nothing to raise
		calls["Raise"] = func() error {
			_, err := s.(store.Raiser).Raise(ctx, store.Raise{Pool: Pool, Epoch: w.Epoch, Floor: w.Floor})
			return err
		}
	}
	return calls
}
