package zkstore

import (
	"context"
	"crypto/rand"
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

// calls are all the ways to ask the server for a namespace.
func calls(ctx context.Context, s *Store, w store.Write) map[string]func() error {
	return map[string]func() error{
		"View":       func() error { _, err := s.View(ctx, "default", 0, 3); return err },
		"Write":      func() error { _, err := s.Write(ctx, w); return err },
		"Quarantine": func() error { return s.Quarantine(ctx, "default", 1) },
	}
}

func TestServerDown(t *testing.T) {
	server, s := durable(t)
	made(t, s)
	w := write(view(t, s), true)
	server.Stop()
	for what := range calls(t.Context(), s, w) {
		err := calls(soon(t), s, w)[what]()
		require.Error(t, err, what)
		assert.NotErrorIs(t, err, store.ErrNoNamespace, what)
		assert.NotErrorIs(t, err, store.ErrStore, what)
	}
	_, err := s.Check(soon(t))
	assert.Error(t, err)
	server.Start()
	require.Eventually(t, func() bool {
		// Its answer may get lost on a busy machine: the row says what became of it.
		if applied, err := s.Write(soon(t), w); err == nil && applied {
			return true
		}
		v, err := s.View(soon(t), "default", w.Worker, w.Worker)
		return err == nil && v.Rows[0].Nonce == w.Nonce
	}, time.Minute, 10*time.Millisecond, "the client finds it again")
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	s := shared(t)
	made(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	behind := s.on(open(t, proxy.Addr()))
	w := write(view(t, behind), true)
	proxy.Hang()
	for what := range calls(t.Context(), behind, w) {
		err := calls(soon(t), behind, w)[what]()
		require.ErrorIs(t, err, context.DeadlineExceeded, what)
		assert.ErrorContains(t, err, "the next view shows", what)
	}
	proxy.Drop()
}

// With an ACL, others can neither read nor write.
func TestPasswords(t *testing.T) {
	root := rand.Text()
	acl := zk.DigestACL(zk.PermAll, "uid", "open-sesame")
	as := func(password string) *Store {
		conn := open(t, server.Get(t).Addr())
		if password != "" {
			require.NoError(t, conn.AddAuth("digest", []byte("uid:"+password)))
		}
		return New(conn, Options{Root: root, ACL: acl})
	}
	s := as("open-sesame")
	made(t, s)
	w := write(view(t, s), true)
	for name, password := range map[string]string{"none": "", "wrong": "close-sesame"} {
		t.Run(name, func(t *testing.T) {
			for what, call := range calls(t.Context(), as(password), w) {
				err := call()
				require.ErrorIs(t, err, zk.ErrNoAuth, what)
				assert.ErrorContains(t, err, "AddAuth", what)
				assert.NotContains(t, err.Error(), "sesame", what)
			}
		})
	}
	must(t, s, w)
	_, err := as("close-sesame").conn.Multi(&zk.DeleteRequest{Path: s.ownerPath("default", 0), Version: -1})
	assert.ErrorIs(t, err, zk.ErrNoAuth, "the owner's node is guarded too")
}

// Nothing that was acknowledged is lost by a server that is killed, and its holder
// goes on as if nothing had been.
func TestLeaseSurvivesKill(t *testing.T) {
	server, s := durable(t)
	made(t, s)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	assert.Equal(t, store.Fenced, lease.Class())
	server.Kill()
	_, hi := lease.Grant()
	server.Start()
	require.Eventually(t, func() bool {
		lease.Want(hi)
		_, now := lease.Grant()
		return now > hi
	}, time.Minute, 5*time.Millisecond, "the lease goes on")
	assert.NoError(t, lease.Err())
	v := view(t, s)
	assert.GreaterOrEqual(t, v.Rows[lease.WorkerID()].High, hi)
}

// A namespace that vanished ends its leases, and is not made anew.
func TestNamespaceLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	require.NoError(t, s.conn.Delete(s.nsPath("default"), -1))
	require.Eventually(t, func() bool {
		lease.Want(math.MaxInt64)
		return lease.Err() != nil
	}, time.Minute, 5*time.Millisecond)
	assert.ErrorIs(t, lease.Err(), store.ErrNoNamespace)
	assert.ErrorContains(t, lease.Err(), "uidbench worker init")
	_, err = worker.Leased(s, claim()).Assign(t.Context(), need)
	assert.ErrorIs(t, err, store.ErrNoNamespace)
}

func TestRowLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	w := write(view(t, s), true)
	require.NoError(t, s.conn.Delete(s.rowPath("default", 0), -1))
	_, err := s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace)
	assert.Len(t, view(t, s).Rows, 3, "the others serve")
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	made(t, s)
	for path, say := range map[string]string{
		s.rowPath("default", 1): "worker id 1",
		s.nsPath("default"):     `namespace "default"`,
	} {
		text, _, err := s.conn.Get(path)
		require.NoError(t, err)
		_, err = s.conn.Set(path, []byte("{}"), -1)
		require.NoError(t, err)
		_, err = s.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrStore)
		assert.ErrorContains(t, err, say)
		_, err = s.conn.Set(path, text, -1)
		require.NoError(t, err)
	}
	view(t, s)
}

// An Init that was interrupted goes on where it was.
func TestInitGoesOn(t *testing.T) {
	s := shared(t)
	n := made(t, s)
	before := view(t, s)
	require.NoError(t, s.conn.Delete(s.nsPath("default"), -1))
	require.NoError(t, s.conn.Delete(s.rowPath("default", 2), -1))
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{}))
	after := view(t, s)
	require.Len(t, after.Rows, 4)
	assert.Equal(t, before.Rows[:2], after.Rows[:2], "rows that were there stay")
	assert.Greater(t, after.Floor, before.Floor, "behind all that was granted on them")
}

func TestRoots(t *testing.T) {
	s := shared(t)
	for root, want := range map[string]string{
		"": "/ringuid", "/": "", "/a": "/a", "a/b/": "/a/b",
	} {
		at := New(s.conn, Options{Root: root})
		assert.Equal(t, want+"/default/namespace", at.nsPath("default"))
		made(t, at)
		view(t, at)
		_, err := at.Check(t.Context())
		assert.NoError(t, err)
	}
	n := made(t, s)
	n.Name = ".."
	assert.ErrorIs(t, s.Init(t.Context(), n, store.InitOptions{}), zk.ErrInvalidPath)
}
