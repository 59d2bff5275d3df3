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

// must writes what has to be applied.
func must(t *testing.T, s *Store, w store.Write) {
	t.Helper()
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	require.True(t, applied)
}

func TestOwnerIsShown(t *testing.T) {
	s := shared(t)
	made(t, s)
	require.Nil(t, owner(t, s))

	w := write(view(t, s), true)
	w.Owner = "somebody"
	must(t, s, w)
	first := owner(t, s)
	require.NotNil(t, first)
	assert.Equal(t, s.conn.SessionID(), first.EphemeralOwner)
	text, _, err := s.conn.Get(s.ownerPath("default", 0))
	require.NoError(t, err)
	assert.Equal(t, "somebody", string(text))

	must(t, s, write(view(t, s), false))
	assert.Equal(t, first.Czxid, owner(t, s).Czxid, "an extension leaves it")

	release := write(view(t, s), false)
	release.Release = true
	must(t, s, release)
	assert.Nil(t, owner(t, s))
}

// A row that expired is taken over although the session of its holder, who was
// paused, say, is alive.
func TestOwnerWhoseSessionLives(t *testing.T) {
	s := shared(t)
	made(t, s)
	w := write(view(t, s), true)
	w.TTL = 0
	must(t, s, w)
	other := s.on(open(t, server.Get(t).Addr()))
	must(t, other, write(view(t, other), true))
	assert.Equal(t, other.conn.SessionID(), owner(t, s).EphemeralOwner)
}

// The session ends while its process lives: the owner's node goes, the row stays
// with its holder, and the next write shows the owner again.
func TestSessionLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	behind := s.on(openFor(t, proxy.Addr(), 400*time.Millisecond))
	c := claim()
	c.Last, c.Namespace = 0, "default"
	c.Order = func(free []store.Row, _ worker.Claim) []store.Row { return free } // the first
	lease, err := worker.Leased(behind, c).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	require.Equal(t, int64(0), lease.WorkerID())
	before := owner(t, s)
	require.NotNil(t, before)

	proxy.Drop()
	require.Eventually(t, func() bool { return owner(t, s) == nil }, time.Minute, 10*time.Millisecond, "the session ends")
	proxy.Pass()
	require.Eventually(t, func() bool { return owner(t, s) != nil }, time.Minute, 10*time.Millisecond, "the owner is back")
	assert.NotEqual(t, before.EphemeralOwner, owner(t, s).EphemeralOwner)
	assert.NoError(t, lease.Err(), "nobody took the row")
}

// Without the path of owners nothing is written, and the error says why.
func TestOwnersPathLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	require.NoError(t, s.conn.Delete(s.ownersPath("default"), -1))
	before := view(t, s)
	_, err := s.Write(t.Context(), write(before, true))
	require.ErrorIs(t, err, errOwner)
	assert.ErrorContains(t, err, "path of owners")
	assert.Equal(t, before.Rows, view(t, s).Rows)
}
