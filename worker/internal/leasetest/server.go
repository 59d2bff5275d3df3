package leasetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// TestServerDown: each call is an error that says what to do, and not that anything is
// wrong with the server's settings. When the server is back, the client finds it by itself.
func TestServerDown(t *testing.T, server Server, s store.Store, advice string) {
	Make(t, s)
	w := Acquisition(View(t, s))
	server.Stop()
	for what := range Calls(t.Context(), s, w) {
		Until(t, what, func() error {
			err := Calls(Soon(t), s, w)[what]()
			assert.NotErrorIs(t, err, worker.ErrStore, what)
			if !assert.Error(t, err, what) || what == "Now" || strings.Contains(err.Error(), advice) {
				return nil // the time may be asked for another way
			}
			return err // a busy machine hears later than soon that nobody listens
		})
	}
	server.Start()
	View(t, s)
}

// TestServerHangs: a call ends with its context. Whether it was done is not known of a write
// that was sent, and it says so: of no question, nor of the calls that begin with one, which
// are named. s reaches the server through the proxy.
func TestServerHangs(t *testing.T, proxy interface {
	Drop()
	Hang()
}, s store.Store, begin ...string) {
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

// TestAVersionThatComesAgain: a row that was deleted and created again, and written as often,
// has the same version at the server and another text, so a late write misses it. late is the
// same store as s in another process, version that of the row of worker id 0.
func TestAVersionThatComesAgain(t *testing.T, late, s store.Store, version func() int64) {
	Make(t, s)
	w := Acquisition(View(t, late))
	before := version()
	require.NoError(t, s.Delete(t.Context(), ""))
	Make(t, s)
	require.Equal(t, before, version())
	want := View(t, s)
	applied, err := late.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
	assert.Equal(t, want.Rows, View(t, s).Rows)
}
