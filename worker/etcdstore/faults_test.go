package etcdstore

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
)

func TestPasswords(t *testing.T) {
	server := testserver.Etcd(t, testserver.Durable())
	s := New(open(t, server.Addr()), Options{})
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	root := of(s).client
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
				say, is := of(s).Advice(err)
				require.Contains(t, say, c.say)
				assert.Equal(t, worker.ErrDenied, is)
				assert.NotContains(t, err.Error(), "-sesame")
				assert.NotContains(t, err.Error(), "the next view shows", "it was answered")
				assert.NotErrorIs(t, err, worker.ErrStore)
			}
			client, err := newClient(c.user, c.password, server.Addr())
			if err != nil { // it logs in at once
				refused(err)
				return
			}
			defer closeClient(client)
			calls := leasetest.Calls(t.Context(), New(client, Options{}), w)
			delete(calls, "Now") // anybody may ask for the time
			for _, call := range calls {
				refused(call())
			}
		})
	}
	client, err := newClient("uid", "open-sesame", server.Addr())
	require.NoError(t, err)
	defer closeClient(client)
	uid := New(client, Options{})
	lease, err := worker.Leased(uid, leasetest.Claim()).Assign(t.Context(), leasetest.Need)
	require.NoError(t, err)
	assert.NoError(t, lease.Release(t.Context(), 0))
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.Worker = 1
	pool := strings.TrimSuffix(rowKey(s, 0), "0000000000000000000")
	for key, say := range map[string]string{
		rowKey(s, 1):                                         "worker id 1",
		pool + "0000000000000000001x":                        "0000000000000000001x",
		pool + "00000000000000000001":                        "is no worker id's: delete it",
		of(s).place + "stray":                                "stray",
		of(s).place + "another%20layout/0000000000000000005": "worker id 5 of layout another layout",
	} {
		_, err := of(s).client.Put(t.Context(), key, "{}")
		require.NoError(t, err)
		v, err := s.View(t.Context(), leasetest.Pool, 0, 5)
		err = errors.Join(err, v.Unreadable)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, say)
		if key == rowKey(s, 1) {
			_, err = s.Write(t.Context(), w)
			require.ErrorIs(t, err, worker.ErrStore)
		}
		_, err = of(s).client.Delete(t.Context(), key)
		require.NoError(t, err)
		leasetest.View(t, s)
	}
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied, "a row that is not there")
}

// A client with the addresses of two clusters is told so by some call: of two that follow each
// other, each goes to another member.
func TestTwoClusters(t *testing.T) {
	t.Parallel()
	one, two := server.Get(t).Addr(), testserver.Etcd(t, testserver.Durable()).Addr()
	s := New(open(t, one, two), Options{})
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		_, err := s.Check(t.Context())
		assert.ErrorIs(c, err, worker.ErrStore)
		assert.ErrorContains(c, err, "the answers are of two clusters")
	}, time.Minute, 10*time.Millisecond, "until it is connected to both")
}
