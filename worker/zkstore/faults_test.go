package zkstore

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"path"
	"slices"
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

// A start waits until somebody raises the quota, and says that.
func TestQuotaUsedUp(t *testing.T) {
	t.Parallel()
	c := open(t, server.Get(t).Addr())
	s := New(c, Options{Root: rand.Text()})
	limits, quota := "/zookeeper/quota"+root(s), "count=-1,bytes=-1=;byteHardLimit=-1;countHardLimit="
	for _, node := range []string{root(s), limits, limits + "/zookeeper_limits",
		limits + "/zookeeper_stats"} {
		_, err := c.Create(node, []byte(quota+"2"), 0, zk.WorldACL(zk.PermAll))
		require.NoError(t, err, node)
	}
	why, end := leasetest.Waiting(t.Context(), t, s, leasetest.Claim())
	assert.Contains(t, why, "raise it (setquota)")
	_, err := c.Set(limits+"/zookeeper_limits", []byte(quota+"1000"), -1)
	require.NoError(t, err)
	e := <-end
	require.NoError(t, e.Failed)
	require.NoError(t, e.Release(t.Context(), math.MinInt64))
}

// The session ends while its process lives: the row stays with its holder.
func TestSessionLost(t *testing.T) {
	t.Parallel()
	s := shared(t)
	leasetest.Make(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	again := slices.Repeat([]string{proxy.Addr()}, 30)
	behind := on(s, connect(t, 400*time.Millisecond, dial, again...))
	c := leasetest.Claim()
	c.TTL = time.Minute
	var lease worker.Lease
	leasetest.Until(t, "so short a session lasts", func() (err error) {
		lease, err = worker.Leased(behind, c).Assign(t.Context(), leasetest.Need)
		return err
	})
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	before := of(behind).conn.SessionID()
	_, hi := lease.Grant()
	proxy.Drop()
	time.Sleep(time.Second) // the session ends
	proxy.Pass()
	require.Eventually(t, func() bool {
		lease.Want(hi)
		_, now := lease.Grant()
		return now > hi
	}, time.Minute, 5*time.Millisecond, "the lease goes on")
	assert.NotEqual(t, before, of(behind).conn.SessionID())
	assert.NoError(t, lease.Err(), "nobody took the row")
}

// With an ACL, others can neither read nor write.
func TestPasswords(t *testing.T) {
	at := rand.Text()
	acl := zk.DigestACL(zk.PermAll, "uid", "open-sesame")
	as := func(password string) store.Store {
		conn := open(t, server.Get(t).Addr())
		if password != "" {
			require.NoError(t, conn.AddAuth("digest", []byte("uid:"+password)))
		}
		return New(conn, Options{Root: at, ACL: acl})
	}
	s := as("open-sesame")
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	for name, password := range map[string]string{"none": "", "wrong": "close-sesame"} {
		t.Run(name, func(t *testing.T) {
			for what, call := range leasetest.Calls(t.Context(), as(password), w) {
				err := call()
				require.ErrorIs(t, err, zk.ErrNoAuth, what)
				assert.ErrorIs(t, err, worker.ErrDenied, what)
				assert.ErrorContains(t, err, "AddAuth", what)
				assert.NotContains(t, err.Error(), "sesame", what)
			}
		})
	}
	leasetest.Write(t, s, w)
	for _, at := range []string{node(s, 0), mark(t, s, 0)} {
		_, err := of(as("close-sesame")).conn.Multi(&zk.DeleteRequest{Path: at, Version: -1})
		assert.ErrorIs(t, err, zk.ErrNoAuth, at)
	}
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	text, _, err := of(s).conn.Get(node(s, 1))
	require.NoError(t, err)
	_, err = of(s).conn.Set(node(s, 1), []byte("{}"), -1)
	require.NoError(t, err)
	refused := func(say string) {
		v, err := s.View(t.Context(), leasetest.Pool, 0, 3)
		err = errors.Join(err, v.Unreadable)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, say)
	}
	refused("worker id 1")
	_, err = s.View(t.Context(), leasetest.Pool, 0, 0)
	require.NoError(t, err, "others do not mind")
	_, err = of(s).conn.Set(node(s, 1), text, -1)
	require.NoError(t, err)
	for _, at := range []string{path.Dir(node(s, 0)) + "/17", of(s).rows + "/a/b"} {
		_, err := of(s).below(t.Context(), path.Dir(at), of(s).create(at, ""))
		require.NoError(t, err)
		refused(at)
		require.NoError(t, of(s).conn.Delete(at, -1))
	}
	w := leasetest.Acquisition(leasetest.View(t, s))
	require.NoError(t, of(s).conn.Delete(mark(t, s, 0), -1))
	_, err = s.Write(t.Context(), w)
	require.ErrorIs(t, err, worker.ErrStore)
	assert.ErrorContains(t, err, node(s, 0))
	require.NoError(t, of(s).conn.Delete(node(s, 0), -1))
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied, "a row that is not there")
	leasetest.Make(t, s)
	leasetest.Write(t, s, leasetest.Acquisition(leasetest.View(t, s)))
}

func TestRoots(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	for root, want := range map[string]string{
		"": "/ringuid", "/": "", "/a": "/a", "a/b/": "/a/b", "a//c": "/a/c",
	} {
		at := New(of(s).conn, Options{Root: root})
		assert.Equal(t, want+"/rows", of(at).rows)
		leasetest.Make(t, at)
		_, err := at.Check(t.Context())
		assert.NoError(t, err)
	}
	for what, call := range leasetest.Calls(t.Context(), New(of(s).conn, Options{Root: "a\x01"}),
		leasetest.Acquisition(leasetest.View(t, s))) {
		assert.ErrorContains(t, call(), "check Options.Root", what)
	}
}

// Servers refuse who has seen more than they have, for ever. He says so; processes that start when
// the rows are deleted are served. What other backups do to rows is in etcdstore's tests.
func TestServersRestoredToAnOlderState(t *testing.T) {
	t.Parallel()
	server := testserver.ZooKeeper(t, testserver.Durable())
	open := func() store.Store { return New(open(t, server.Addr()), Options{}) }
	before, keep := open(), leasetest.Backup(server)
	play := leasetest.Rewind{Open: open, Crash: 3, Keep: func() func() {
		restore := keep()
		return func() {
			leasetest.View(t, before)
			restore()
		}
	}}
	play.Then = func(v store.View) {
		for range 3 {
			_, err := before.View(leasetest.Soon(t), leasetest.Pool, 0, 3)
			require.Error(t, err)
			assert.ErrorContains(t, err, "restored to an older state")
			assert.ErrorContains(t, err, "restart this process")
		}
		require.NoError(t, open().Delete(t.Context(), ""))
	}
	assert.Zero(t, play.Play(t))
}
