// Package leasetest is what the tests of stores on real servers have in common: a small pool,
// what to write into it, and what a store does while its server is down or hangs. And processes
// that take ids while servers fail, no two of them the same:
//
//	h := leasetest.Start(t, s, 3)      // a pool of three worker ids
//	one, two := h.Join(s1), h.Join(s2) // processes, which take ids from now on
//	cluster.Leader().Kill()
//	h.GoOn("the leader was killed")    // each makes ids of ticks that were granted since
//	assert.Zero(t, h.Duplicates())
//
// A process takes all that it is granted at once. So it is always a window ahead of the clock,
// and a worker id that another one got with too low a High would give duplicates at once.
// Rewind is a store that goes back in time under them.
//
// The tests of the contract itself are in package storetest.
package leasetest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// layout has one id in a tick. Its ticks are counted from the Unix epoch, as those of rows are.
var layout = uid.Layout{Epoch: time.Unix(0, 0), Unit: 10 * time.Millisecond, TimeBits: 40,
	WorkerBits: 10}

// Need is the layout's.
var Need = layout.Need()

// Pool is the layout's.
var Pool = store.Pool{Layout: Need.Fingerprint, Unit: Need.Unit}

// Make makes the rows of the worker ids 0 to 3.
func Make(t *testing.T, s store.Store) {
	t.Helper()
	_, err := worker.Init(t.Context(), s, Claim(), Need, false)
	require.NoError(t, err)
}

// Nonce is a new one.
func Nonce() (n store.Nonce) {
	_, _ = rand.Read(n[:]) // which does not fail
	return n
}

// View returns the store's view of the pool, as soon as it answers in time: servers elect a
// leader, or start. A view that comes late shows the rows and perhaps no clock, by which a store
// could write.
func View(t *testing.T, s store.Store) (v store.View) {
	t.Helper()
	Until(t, "the store answers", func() (err error) {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		if v, err = s.View(ctx, Pool, 0, Need.MaxID); err == nil {
			err = ctx.Err()
		}
		return err
	})
	return v
}

const (
	timeout  = 2 * time.Second // of a call to a store: a busy machine is slow
	patience = 3 * time.Minute // with servers that come back
)

// Until waits for something that a server does in its own time.
func Until(t *testing.T, what string, done func() error) {
	t.Helper()
	require.EventuallyWithT(t, func(c *assert.CollectT) { assert.NoError(c, done()) }, patience,
		5*time.Millisecond, what)
}

// Acquisition is a write that acquires the first row of v.
func Acquisition(v store.View) store.Write {
	row := v.Rows[0]
	return store.Write{
		Pool: v.Pool, Epoch: v.Epoch, Floor: v.Floor,
		Worker: row.Worker, Expect: []store.Nonce{row.Nonce},
		Nonce: Nonce(), High: v.TickAt(v.Now), TTL: time.Minute, Acquire: true,
	}
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
	return worker.Claim{Last: 3, TTL: 700 * time.Millisecond, Timeout: time.Minute,
		Slack: 500 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
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
