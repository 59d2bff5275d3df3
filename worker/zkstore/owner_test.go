package zkstore

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// owner is the node that shows who holds worker id 0, or nil.
func owner(t *testing.T, s *Store) *zk.Stat {
	t.Helper()
	there, stat, err := s.conn.Exists(s.ownerPath("default", 0))
	require.NoError(t, err)
	if !there {
		return nil
	}
	return stat
}

func TestOwnerIsShown(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	require.Nil(t, owner(t, s))

	w := leasetest.Acquisition(leasetest.View(t, s))
	w.Owner = "somebody"
	leasetest.Write(t, s, w)
	first := owner(t, s)
	require.NotNil(t, first)
	assert.Equal(t, s.conn.SessionID(), first.EphemeralOwner)
	text, _, err := s.conn.Get(s.ownerPath("default", 0))
	require.NoError(t, err)
	assert.Equal(t, "somebody", string(text))

	leasetest.Extend(t, s)
	assert.Equal(t, first.Czxid, owner(t, s).Czxid, "an extension leaves it")

	release := leasetest.Extension(leasetest.View(t, s))
	release.Release = true
	leasetest.Write(t, s, release)
	assert.Nil(t, owner(t, s))
}

// A row that expired is taken over although the session of its holder, who was
// paused, say, is alive.
func TestOwnerWhoseSessionLives(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.TTL = 0
	leasetest.Write(t, s, w)
	other := s.on(open(t, server.Get(t).Addr()))
	leasetest.Write(t, other, leasetest.Acquisition(leasetest.View(t, other)))
	assert.Equal(t, other.conn.SessionID(), owner(t, s).EphemeralOwner)
}

// The session ends while its process lives: the owner's node goes, the row stays
// with its holder, and the next write shows the owner again.
func TestSessionLost(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	behind := s.on(openFor(t, proxy.Addr(), 400*time.Millisecond))
	c := leasetest.Claim()
	c.Last, c.Namespace = 0, "default"
	c.Order = func(free []store.Row, _ worker.Claim) []store.Row { return free } // the first
	lease, err := worker.Leased(behind, c).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	require.Equal(t, int64(0), lease.WorkerID())
	before := owner(t, s)
	require.NotNil(t, before)

	proxy.Drop()
	require.Eventually(t, func() bool { return owner(t, s) == nil }, time.Minute, 10*time.Millisecond,
		"the session ends")
	proxy.Pass()
	require.Eventually(t, func() bool { return owner(t, s) != nil }, time.Minute, 10*time.Millisecond,
		"the owner is back")
	assert.NotEqual(t, before.EphemeralOwner, owner(t, s).EphemeralOwner)
	assert.NoError(t, lease.Err(), "nobody took the row")
}
