// Package leasetest has what the tests of stores on real servers share: a small pool, writes to
// it, and processes that take ids while servers fail, of which no two may be the same:
//
//	h := leasetest.Start(t, s, 3)      // a pool of three worker ids
//	one, two := h.Join(s1), h.Join(s2) // processes, which take ids from now on
//	server.Kill()
//	server.Start()
//	h.GoOn("it was killed")            // each makes ids of ticks that were granted since
//	assert.Zero(t, h.Duplicates())
//
// A process takes everything that it is granted at once, so it is always a window ahead of the
// clock. If another process got its worker id with too low a High, duplicates would follow at
// once. Rewind is a store that goes back in time under such processes.
//
// The tests of the contract itself are in package storetest, those of servers in servertest.
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

// layout has one id per tick. Its ticks are counted from the Unix epoch, like those of rows.
var layout = uid.Layout{Epoch: time.Unix(0, 0), Unit: 10 * time.Millisecond, TimeBits: 40,
	WorkerBits: 10}

// Need is the layout's.
var Need = layout.Need()

// Pool is the layout's.
var Pool = store.Pool{Layout: Need.Fingerprint, Unit: Need.Unit}

// Make creates the rows of the worker ids 0 to 3.
func Make(t *testing.T, s store.Store) {
	t.Helper()
	_, err := worker.Init(t.Context(), s, Claim(), Need)
	require.NoError(t, err)
}

// Nonce returns a new nonce.
func Nonce() (n store.Nonce) {
	_, _ = rand.Read(n[:]) // it does not fail
	return n
}

// View returns the store's view of the pool, as soon as the store answers in time: servers may
// be starting, or electing a leader. A late view shows the rows, but perhaps no clock by which
// a store could write.
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

// Acquisition returns a write that acquires the first row of v.
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

// Claim returns a claim on any worker id of the pool, for tests that wait for leases to expire.
func Claim() worker.Claim {
	return worker.Claim{Count: 4, TTL: 700 * time.Millisecond, Timeout: time.Minute,
		Slack: 500 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
}

// Soon returns a context that bounds a call which would wait for a server.
func Soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// Calls returns all calls to a store's server about the pool of w, which has an epoch if the
// store has heads.
func Calls(ctx context.Context, s store.Store, w store.Write) map[string]func() error {
	calls := map[string]func() error{
		"Check":  func() error { _, err := s.Check(ctx); return err },
		"View":   func() error { _, err := s.View(ctx, w.Pool, 0, 3); return err },
		"Now":    func() error { _, err := s.Now(ctx); return err },
		"Create": func() error { return s.Create(ctx, w.Pool, []int64{0}, w.Nonce) },
		"Open": func() error {
			return s.Open(ctx, w.Pool, []int64{0}, w.Nonce, store.Row{Nonce: w.Nonce, Open: true})
		},
		"Write":  func() error { _, err := s.Write(ctx, w); return err },
		"Delete": func() error { return s.Delete(ctx, w.Layout) },
	}
	if w.Epoch != "" { // else there is nothing to raise
		calls["Raise"] = func() error {
			_, err := s.(store.Raiser).Raise(ctx, w.Pool, store.Head{Epoch: w.Epoch, Floor: w.Floor}, 0,
				time.Second)
			return err
		}
		calls["Forget"] = func() error { _, err := s.(store.Raiser).Forget(ctx); return err }
	}
	return calls
}
