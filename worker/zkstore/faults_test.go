package zkstore

import (
	"crypto/rand"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestServerDown(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	leasetest.TestServerDown(t, server, s, "") // the first to find out hears that the connection broke
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
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	for name, password := range map[string]string{"none": "", "wrong": "close-sesame"} {
		t.Run(name, func(t *testing.T) {
			calls := leasetest.Calls(t.Context(), as(password), w)
			delete(calls, "Check") // anybody may ask whether there is a node
			for what, call := range calls {
				err := call()
				require.ErrorIs(t, err, zk.ErrNoAuth, what)
				assert.ErrorContains(t, err, "AddAuth", what)
				assert.NotContains(t, err.Error(), "sesame", what)
			}
		})
	}
	leasetest.Write(t, s, w)
	_, err := as("close-sesame").conn.Multi(&zk.DeleteRequest{Path: s.ownerPath("default", 0),
		Version: -1})
	assert.ErrorIs(t, err, zk.ErrNoAuth, "the owner's node is guarded too")
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
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
	w := leasetest.Acquisition(leasetest.View(t, s))
	for _, c := range [][2]string{
		{s.rowPath("default", 0), "no such row"},
		{s.nsPath("default"), "uidbench worker init"},
	} {
		require.NoError(t, s.conn.Delete(c[0], -1))
		_, err := s.Write(t.Context(), w)
		require.ErrorIs(t, err, store.ErrNoNamespace)
		assert.ErrorContains(t, err, c[1])
	}
}

func TestRoots(t *testing.T) {
	s := shared(t)
	for root, want := range map[string]string{
		"": "/ringuid", "/": "", "/a": "/a", "a/b/": "/a/b",
	} {
		at := New(s.conn, Options{Root: root})
		assert.Equal(t, want+"/default/namespace", at.nsPath("default"))
		leasetest.Make(t, at)
		leasetest.View(t, at)
		_, err := at.Check(t.Context())
		assert.NoError(t, err)
	}
	n := leasetest.Make(t, s)
	n.Name = ".."
	assert.ErrorIs(t, s.Init(t.Context(), n, store.InitOptions{}), zk.ErrInvalidPath)
}
