package etcdstore

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/store"
)

// calls are all the ways to ask the server.
func calls(ctx context.Context, s *Store, w store.Write) map[string]func() error {
	return map[string]func() error{
		"Check":      func() error { _, err := s.Check(ctx); return err },
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

func TestPasswords(t *testing.T) {
	server, s := durable(t)
	made(t, s)
	root := s.client
	for _, user := range []string{"root", "uid", "guest"} {
		_, err := root.UserAdd(t.Context(), user, "open-sesame")
		require.NoError(t, err)
		_, err = root.RoleAdd(t.Context(), user)
		require.NoError(t, err)
		_, err = root.UserGrantRole(t.Context(), user, user)
		require.NoError(t, err)
	}
	const readwrite = 2
	_, err := root.RoleGrantPermission(t.Context(), "uid", "/ringuid/", "/ringuid0", readwrite)
	require.NoError(t, err)
	_, err = root.AuthEnable(t.Context())
	require.NoError(t, err)

	for name, c := range map[string]struct{ user, password, say string }{
		"none":      {"", "", "wants a user and a password"},
		"wrong":     {"uid", "close-sesame", "check user and password"},
		"no rights": {"guest", "open-sesame", "must be allowed to read and write"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := func(err error) {
				require.ErrorContains(t, explain("opening", err), c.say)
				assert.NotContains(t, explain("opening", err).Error(), "-sesame")
				assert.NotErrorIs(t, err, store.ErrStore)
			}
			client, err := newClient(server.Addr(), c.user, c.password)
			if err != nil { // it logs in at once
				refused(err)
				return
			}
			defer closeClient(client)
			for _, call := range calls(t.Context(), New(client, Options{}), store.Write{Namespace: "default"}) {
				refused(call())
			}
		})
	}
	uid := New(openAs(t, server.Addr(), "uid", "open-sesame"), Options{})
	lease, err := worker.Leased(uid, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	assert.NoError(t, lease.Release(t.Context(), 0))
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

// Revisions are compared with those of a moment ago; older ones may go.
func TestCompaction(t *testing.T) {
	_, s := durable(t)
	made(t, s)
	before := view(t, s)
	for range 3 {
		answer, err := s.client.Get(t.Context(), "x")
		require.NoError(t, err)
		_, err = s.client.Compact(t.Context(), answer.Header.Revision)
		require.NoError(t, err)
		_, err = s.client.Defragment(t.Context(), s.client.Endpoints()[0])
		require.NoError(t, err)
		applied, err := s.Write(t.Context(), write(view(t, s), false))
		require.NoError(t, err)
		assert.True(t, applied)
	}
	assert.Equal(t, before.Rows[1:], view(t, s).Rows[1:])
}

// A namespace that vanished ends its leases, and is not made anew.
func TestNamespaceLost(t *testing.T) {
	s := shared(t)
	made(t, s)
	lease, err := worker.Leased(s, claim()).Assign(t.Context(), need)
	require.NoError(t, err)
	defer lease.Release(context.WithoutCancel(t.Context()), math.MinInt64)
	_, err = s.client.Delete(t.Context(), s.nsKey("default"))
	require.NoError(t, err)
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
	_, err := s.client.Delete(t.Context(), s.rowKey("default", 0))
	require.NoError(t, err)
	_, err = s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace)
	assert.Len(t, view(t, s).Rows, 3, "the others serve")
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	made(t, s)
	put := func(key, text string) {
		_, err := s.client.Put(t.Context(), key, text)
		require.NoError(t, err)
	}
	refused := func(say string) {
		_, err := s.View(t.Context(), "default", 0, 3)
		require.ErrorIs(t, err, store.ErrStore)
		assert.ErrorContains(t, err, say)
	}
	put(s.rowKey("default", 1), "{}")
	refused("worker id 1")
	_, err := s.View(t.Context(), "default", 0, 0)
	require.NoError(t, err, "others do not mind")

	stray := s.prefix + "/default/rows/0000000000000000001x"
	put(stray, "{}")
	_, err = s.client.Delete(t.Context(), s.rowKey("default", 1))
	require.NoError(t, err)
	refused(stray)

	put(s.nsKey("default"), "not Init's")
	refused(`namespace "default"`)
}

// An Init that was interrupted goes on where it was.
func TestInitGoesOn(t *testing.T) {
	s := shared(t)
	n := made(t, s)
	before := view(t, s)
	for _, key := range []string{s.nsKey("default"), s.rowKey("default", 2)} {
		_, err := s.client.Delete(t.Context(), key)
		require.NoError(t, err)
	}
	require.NoError(t, s.Init(t.Context(), n, store.InitOptions{}))
	after := view(t, s)
	require.Len(t, after.Rows, 4)
	assert.Equal(t, before.Rows[:2], after.Rows[:2], "rows that were there stay")
	assert.Greater(t, after.Floor, before.Floor, "behind all that was granted on them")
}
