package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestServerDown(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	leasetest.TestServerDown(t, server, s, "the next view shows whether the write was applied")
}

func TestServerThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	leasetest.TestServerHangs(t, proxy, fresh(open(t, proxy.Addr())))
}

func TestLeaseSurvivesKill(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	leasetest.TestLeaseSurvivesKill(t, server, s)
}

func TestPasswords(t *testing.T) {
	server, s := durable(t)
	leasetest.Make(t, s)
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
		"none":      {"", "", "requires a user and a password"},
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
			for _, call := range leasetest.Calls(t.Context(), New(client, Options{}),
				store.Write{Namespace: "default"}) {
				refused(call())
			}
		})
	}
	uid := New(openAs(t, server.Addr(), "uid", "open-sesame"), Options{})
	lease, err := worker.Leased(uid, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.NoError(t, lease.Release(t.Context(), 0))
}

// Revisions are compared with those of a moment ago; older ones may go.
func TestCompaction(t *testing.T) {
	_, s := durable(t)
	leasetest.Make(t, s)
	before := leasetest.View(t, s)
	for range 3 {
		answer, err := s.client.Get(t.Context(), "x")
		require.NoError(t, err)
		_, err = s.client.Compact(t.Context(), answer.Header.Revision)
		require.NoError(t, err)
		_, err = s.client.Defragment(t.Context(), s.client.Endpoints()[0])
		require.NoError(t, err)
		leasetest.Extend(t, s)
	}
	assert.Equal(t, before.Rows[1:], leasetest.View(t, s).Rows[1:])
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	n := leasetest.Make(t, s)
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
	w := leasetest.Acquisition(store.View{Namespace: n, Rows: make([]store.Row, 1)})
	w.Worker = 1
	_, err = s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace, "a row that is not there")

	put(s.nsKey("default"), "not Init's")
	refused(`namespace "default"`)
	_, err = s.client.Delete(t.Context(), s.nsKey("default"))
	require.NoError(t, err)
	_, err = s.Write(t.Context(), w)
	require.ErrorIs(t, err, store.ErrNoNamespace)
	assert.ErrorContains(t, err, "uidbench worker init")
}
