// Package leasetest is what the tests of stores on real servers have in common.
//
// A small pool, what to write into it, and tests of what a store does while its server is down
// or hangs, and while the clock of its machine is wrong:
//
//	func TestServerDown(t *testing.T) {
//		server, s := durable(t)
//		leasetest.TestServerDown(t, server, s, "check host and port")
//	}
//
// And processes that mint while servers fail, no two of them one tick with one worker id:
//
//	h := leasetest.Start(t, s, 3)      // a pool of three worker ids
//	one, two := h.Join(s1), h.Join(s2) // processes, which mint from now on
//	cluster.Leader().Kill()
//	h.GoOn("the leader was killed")    // each mints ticks that were granted since
//	assert.Empty(t, h.Duplicates())
//
// A process mints all that it is granted at once. So it is always a window ahead of the clock,
// and a worker id that another one got with too low a High would give duplicates at once.
// FailOver is that of a primary to its replica.
//
// The tests of the contract itself are in package storetest.
package leasetest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// Need is that of the layout for which Make makes its pool.
var Need = worker.Need{Unit: 10 * time.Millisecond, MaxID: 1023, Fingerprint: "a layout"}

// Pool is the layout's.
var Pool = store.Pool{Layout: Need.Fingerprint, Unit: Need.Unit}

// Make makes the rows of the worker ids 0 to 3, of which nothing was ever granted, and the
// pool's head where there is one.
func Make(t *testing.T, s store.Store) {
	t.Helper()
	ids := []int64{0, 1, 2, 3}
	created := Nonce()
	require.NoError(t, s.Create(t.Context(), Pool, ids, created))
	MakeHead(t, s, Pool)
	v := View(t, s)
	require.NoError(t, s.Open(t.Context(), Pool, ids, created, Nonce(), v.TickAt(v.Now)-1))
}

// MakeHead makes the head of a pool, where pools have one, whose floor is past. Only a test
// may: a head, and a row that is new, begins a window ahead of the clock.
func MakeHead(t *testing.T, s store.Store, p store.Pool) {
	t.Helper()
	v, err := s.View(t.Context(), p, 0, 0)
	require.NoError(t, err)
	if v.Server == v.Epoch {
		return
	}
	past := -p.Window() - 3
	applied, err := s.(store.Raiser).Raise(t.Context(), p, v.Epoch, v.Floor, past)
	require.NoError(t, err)
	require.True(t, applied, "the head is made")
}

// Nonce is a new one.
func Nonce() (n store.Nonce) {
	_, _ = rand.Read(n[:]) // which does not fail
	return n
}

// View returns the store's view of the pool.
func View(t *testing.T, s store.Store) store.View {
	t.Helper()
	v, err := s.View(t.Context(), Pool, 0, Need.MaxID)
	require.NoError(t, err)
	return v
}

// ViewInTime is View, as soon as the store answers: servers elect a leader, or start.
func ViewInTime(t *testing.T, s store.Store) (v store.View) {
	t.Helper()
	Until(t, "the store answers", func() (err error) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		v, err = s.View(ctx, Pool, 0, Need.MaxID)
		return err
	})
	return v
}

// Extension is a write that extends the first row of v.
func Extension(v store.View) store.Write {
	row := v.Rows[0]
	return store.Write{
		Pool: v.Pool, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []store.Nonce{row.Nonce},
		Nonce: Nonce(), High: row.High + 1, TTL: time.Minute, Now: v.Now,
	}
}

// Acquisition is a write that acquires the first row of v.
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

// Claim is a claim on any worker id of the pool, of a test that waits for leases to end.
func Claim() worker.Claim {
	return worker.Claim{
		Last: 3, TTL: 300 * time.Millisecond, Timeout: time.Minute, Slack: 50 * time.Millisecond,
		Logger: slog.New(slog.DiscardHandler),
	}
}

// Soon bounds a call that would wait for a server.
func Soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Calls returns all calls to a store's server about the pool of a write, which has an epoch if
// the store has heads.
func Calls(ctx context.Context, s store.Store, w store.Write) map[string]func() error {
	calls := map[string]func() error{
		"Check":  func() error { _, err := s.Check(ctx); return err },
		"View":   func() error { _, err := s.View(ctx, w.Pool, 0, 3); return err },
		"Now":    func() error { _, err := s.Now(ctx); return err },
		"Create": func() error { return s.Create(ctx, w.Pool, []int64{0}, w.Nonce) },
		"Open":   func() error { return s.Open(ctx, w.Pool, []int64{0}, w.Nonce, w.Nonce, 0) },
		"Write":  func() error { _, err := s.Write(ctx, w); return err },
		"Delete": func() error { return s.Delete(ctx, w.Layout) },
	}
	if w.Epoch != "" { // else there is nothing to raise
		calls["Raise"] = func() error {
			_, err := s.(store.Raiser).Raise(ctx, w.Pool, w.Epoch, w.Floor, 0)
			return err
		}
	}
	return calls
}
