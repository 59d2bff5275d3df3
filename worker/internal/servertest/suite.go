// Package servertest has the tests that stores on real servers share: the contract, and what a
// store does while its server is down, hangs, has another clock or goes back in time, and while
// the leaders of a cluster fail.
package servertest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

// Suite tests a package's store, on servers of its own.
type Suite struct {
	Server func(testing.TB, ...testserver.Option) *testserver.Server

	// Cluster starts several. If it is nil, no cluster is tested.
	Cluster func(testing.TB, int, ...testserver.Option) testserver.Cluster

	// Open returns a store with its own client, which knows the servers at addrs.
	Open  func(t *testing.T, addrs ...string) store.Store
	None  []store.Store // that were made without a client
	Hands func(*testing.T, store.Store) storetest.Hands

	Put   string   // is in each request that writes a row
	Down  string   // what an error says while no server listens
	Reads []string // the calls that begin with a read, besides Check, View and Now

	// Version returns the version of the row of worker id 0 at a server that counts them.
	Version func(*testing.T, store.Store) int64
}

// Run runs all tests. The contract's need time for themselves.
func (s Suite) Run(t *testing.T) {
	server := s.Server(t, testserver.Durable())
	open := func(t *testing.T) store.Store { return s.Open(t, server.Addr()) }
	t.Run("contract", func(t *testing.T) { s.testContract(t, server, open) })
	t.Parallel()
	t.Run("faults", func(t *testing.T) {
		t.Parallel()
		s.testFaults(t, server, open)
	})
	if s.Cluster != nil {
		t.Run("whoever leads", func(t *testing.T) {
			t.Parallel()
			c := s.Cluster(t, 3)
			s.testLinearizable(t, c.Addrs())
			TestCluster(t, c, func(addrs ...string) store.Store { return s.Open(t, addrs...) })
		})
	}
	for _, none := range s.None {
		_, err := none.Check(t.Context())
		require.ErrorContains(t, err, "is nil")
		assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
	}
}

// testFaults are those of one server, one after another. A client meets most of them, whatever
// the server's version.
func (s Suite) testFaults(t *testing.T, server *testserver.Server,
	open func(*testing.T) store.Store) {
	if s.Cluster == nil {
		t.Run("linearizable", func(t *testing.T) { s.testLinearizable(t, []string{server.Addr()}) })
	}
	if testing.Short() {
		return
	}
	t.Run("hangs", func(t *testing.T) { s.testHangs(t, server) })
	before := open(t)
	t.Run("down", func(t *testing.T) { s.testDown(t, server, before) })
	t.Run("clock", func(t *testing.T) {
		TestClock(t, server, func() store.Store { return open(t) })
	})
	server.Start()
	leasetest.View(t, before) // its client finds the server by itself
	t.Run("start", func(t *testing.T) { TestStart(t, server, open(t)) })
}

func (s Suite) testContract(t *testing.T, server *testserver.Server,
	open func(*testing.T) store.Store) {
	st := open(t)
	o := storetest.Options{Hands: s.Hands, ManyRows: 1200} // more than one script or request has
	_, heads := st.(store.Raiser)
	if heads {
		o.Restart = func(*testing.T) {
			server.Kill() // what was acknowledged must be there all the same
			server.Start()
		}
	}
	storetest.Run(t, func(*testing.T) store.Store { return st }, o)
	if !heads {
		TestTime(t, st)
		s.testVersions(t, open(t), st)
	}
}

// testVersions: a row that was deleted, created again and written as often has the same version
// at the server but another text, so a late write misses it. late is another process's store.
func (s Suite) testVersions(t *testing.T, late, st store.Store) {
	require.NoError(t, st.Delete(t.Context(), ""))
	leasetest.Make(t, st)
	w := leasetest.Acquisition(leasetest.View(t, late))
	before := s.Version(t, st)
	require.NoError(t, st.Delete(t.Context(), ""))
	leasetest.Make(t, st)
	require.Equal(t, before, s.Version(t, st))
	want := leasetest.View(t, st)
	applied, err := late.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
	assert.Equal(t, want.Rows, leasetest.View(t, st).Rows)
}

// spread sends each call to another server.
type spread struct {
	store.Store
	all []store.Store
}

func (s spread) View(ctx context.Context, p store.Pool, first, last int64) (store.View, error) {
	return s.all[rand.IntN(len(s.all))].View(ctx, p, first, last)
}

func (s spread) Write(ctx context.Context, w store.Write) (applied bool, err error) {
	return s.all[rand.IntN(len(s.all))].Write(ctx, w)
}

// testLinearizable: each fault lets a request that writes a row reach a server, and cuts the
// connection before the answer. The servers follow their leader at their own pace.
func (s Suite) testLinearizable(t *testing.T, addrs []string) {
	var proxies []*testserver.Proxy
	var all []store.Store
	for i, addr := range addrs {
		proxies = append(proxies, testserver.NewProxy(t, addr))
		all = append(all, s.Open(t, proxies[i].Addr()))
	}
	over := all[0]
	lossy, err := over.Check(t.Context())
	require.NoError(t, err)
	_, heads := over.(store.Raiser)
	assert.Equal(t, heads, lossy)
	if !heads {
		over = spread{over, all}
	}
	storetest.Linearizable(t, over, func() { proxies[rand.IntN(len(all))].CutReplyTo(s.Put) })
	require.NoError(t, over.Delete(t.Context(), ""))
}

// testDown: each call returns an error that says what to do, and not that the server's settings
// are wrong. Nothing is left of st, on which it leaves the server down.
func (s Suite) testDown(t *testing.T, server *testserver.Server, st store.Store) {
	leasetest.Make(t, st)
	w := leasetest.Acquisition(leasetest.View(t, st))
	require.NoError(t, st.Delete(t.Context(), ""))
	if heads, ok := st.(store.Raiser); ok {
		_, err := heads.Forget(t.Context())
		require.NoError(t, err)
	}
	server.Stop()
	for what := range leasetest.Calls(t.Context(), st, w) {
		leasetest.Until(t, what, func() error {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // clients may dial a few times
			defer cancel()
			err := leasetest.Calls(ctx, st, w)[what]()
			assert.NotErrorIs(t, err, worker.ErrStore, what)
			if !assert.Error(t, err, what) {
				return nil
			}
			assert.NotContains(t, err.Error(), "\n", what)
			if what == "Now" || strings.Contains(err.Error(), s.Down) {
				return nil // it may ask for the time in another way
			}
			return err // a busy machine may notice only later that no server listens
		})
	}
}

// testHangs: a call ends with its context. The error of a write that was sent says that its
// outcome is not known; that of a read does not.
func (s Suite) testHangs(t *testing.T, server *testserver.Server) {
	proxy := testserver.NewProxy(t, server.Addr())
	st := s.Open(t, proxy.Addr())
	leasetest.Make(t, st)
	w := leasetest.Acquisition(leasetest.View(t, st))
	proxy.Hang()
	for what := range leasetest.Calls(t.Context(), st, w) {
		err := leasetest.Calls(leasetest.Soon(t), st, w)[what]()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
		asks := slices.Contains(append(s.Reads, "Check", "View", "Now"), what)
		assert.Equal(t, !asks, strings.Contains(err.Error(), "the next view shows"), "%s: %v", what, err)
	}
	proxy.Drop() // ends the connections, and what waits in the proxy
}

// TestStart: a start waits for a server that is not there yet, for one that stands still, and for
// a worker id, and says so.
func TestStart(t *testing.T, server *testserver.Server, st store.Store) {
	c := leasetest.Claim()
	c.First, c.Count, c.TTL, c.Timeout = 1, 1, time.Minute, time.Second
	leasetest.Make(t, st)
	require.NoError(t, st.Delete(t.Context(), ""))
	comes := func(end <-chan leasetest.Started) worker.Lease {
		t.Helper()
		e := <-end
		require.NoError(t, e.Failed)
		return e.Lease
	}
	release := func(l worker.Lease) {
		if err := l.Release(t.Context(), math.MinInt64); err != nil { // on a busy machine
			require.ErrorContains(t, err, "Claim.Timeout")
			require.NoError(t, st.Delete(t.Context(), ""))
		}
	}

	server.Stop()
	_, end := leasetest.Waiting(t.Context(), t, st, c)
	server.Start()
	release(comes(end))

	server.Pause()
	why, end := leasetest.Waiting(t.Context(), t, st, c)
	server.Resume()
	assert.Contains(t, why, "Claim.Timeout")
	held := comes(end)

	_, end = leasetest.AllHeld(t, st, c)
	release(held)
	release(comes(end))
}
