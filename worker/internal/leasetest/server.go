package leasetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// TestServerDown: each call is an error that says what to do, and not that anything is
// wrong with the server's settings. When the server is back, the
// client finds it by itself.
func TestServerDown(t *testing.T, server interface {
	Start()
	Stop()
}, s store.Store,
	advice string) {
	Make(t, s)
	w := Acquisition(View(t, s))
	server.Stop()
	for what := range Calls(t.Context(), s, w) {
		err := downCall(t, s, w, what, advice)
		require.Error(t, err, what)
		assert.NotErrorIs(t, err, worker.ErrStore, what)
		if what != "Now" { // which may go another way
			assert.ErrorContains(t, err, advice, what)
		}
	}
	server.Start()
	require.Eventually(t, func() bool {
		// Its answer may get lost on a busy machine: the row says what became of it.
		if applied, err := s.Write(Soon(t), w); err == nil && applied {
			return true
		}
		v, err := s.View(Soon(t), Pool, w.Worker, w.Worker)
		// Some clients send a call later, although its context has ended: it deleted the row.
		return err == nil && (len(v.Rows) == 0 || v.Rows[0].Nonce == w.Nonce ||
			v.Server != v.Epoch) // which takes no writes yet
	}, time.Minute, 10*time.Millisecond, "the client finds it again")
}

// downCall makes a call to a server that is down. Some clients wait for one as long as they may,
// and say so then; others say so as soon as they have been refused, for which a busy machine may
// take longer than the call may.
func downCall(t *testing.T, s store.Store, w store.Write, what, advice string) (err error) {
	for may := 300 * time.Millisecond; may < time.Minute; may *= 10 {
		ctx, cancel := context.WithTimeout(t.Context(), may)
		err = Calls(ctx, s, w)[what]()
		cancel()
		if what == "Now" || !errors.Is(err, context.DeadlineExceeded) ||
			strings.Contains(err.Error(), advice) {
			break
		}
	}
	return err
}

// TestServerHangs: a call ends with its context. Whether it was done is not known of a write
// that was sent, and it says so: of no question, nor of the calls that begin with one, which
// are named. s reaches the server through the proxy.
func TestServerHangs(t *testing.T, proxy interface {
	Drop()
	Hang()
}, s store.Store,
	begin ...string) {
	Make(t, s)
	w := Acquisition(View(t, s))
	proxy.Hang()
	for what := range Calls(t.Context(), s, w) {
		err := Calls(Soon(t), s, w)[what]()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
		asks := slices.Contains(append(begin, "Check", "View", "Now"), what)
		assert.Equal(t, !asks, strings.Contains(err.Error(), "the next view shows"), "%s: %v", what, err)
	}
	proxy.Drop() // what waits in it ends with the connections
}

// TestNoClient: a store that was made without a client says so at the first step of a process.
func TestNoClient(t *testing.T, s store.Store) {
	c := Claim()
	c.AllowUnfenced = true // which takes the risk of settings
	_, err := worker.Leased(s, c).Assign(t.Context(), Need)
	require.ErrorContains(t, err, "that the store was made with is nil")
	_, err = worker.Free(t.Context(), s, c, Need, 1, true)
	require.ErrorContains(t, err, "that the store was made with is nil")
}
