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

// TestServerDown: each call returns an error that says what to do, and not that the server's
// settings are wrong. When the server is back, the client finds it by itself.
func TestServerDown(t *testing.T, server Server, s store.Store, advice string) {
	Make(t, s)
	w := Acquisition(View(t, s))
	server.Stop()
	for what := range Calls(t.Context(), s, w) {
		Until(t, what, func() error {
			err := Calls(Soon(t), s, w)[what]()
			assert.NotErrorIs(t, err, worker.ErrStore, what)
			if !assert.Error(t, err, what) || what == "Now" || strings.Contains(err.Error(), advice) {
				return nil // it may ask for the time in another way
			}
			return err // a busy machine may notice only after Soon that no server listens
		})
	}
	server.Start()
	View(t, s)
}

// TestServerHangs: a call ends with its context. The error of a write that was sent says that
// its outcome is not known; that of a read does not, nor that of a call in begin, which starts
// with a read. s reaches the server through the proxy.
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
	proxy.Drop() // ends the connections, and what waits in the proxy
}

// TestAVersionThatComesAgain: a row that was deleted, created again and written as often has
// the same version at the server but another text, so a late write misses it. late is the same
// store as s in another process; version returns the version of the row of worker id 0.
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
