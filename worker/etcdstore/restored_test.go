package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// A backup is restored. The server does not show that it went back, so safety depends on the
// holders, and on whoever deletes the rows.
func TestRestored(t *testing.T) {
	if testing.Short() {
		t.Skip("any version restores data")
	}
	for name, play := range map[string]struct {
		crash                    int
		quarantine, mayDuplicate bool
	}{
		"under holders":             {},
		"all killed, quarantined":   {crash: 3, quarantine: true},
		"all killed, for a control": {crash: 3, mayDuplicate: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.Etcd(t, testserver.Durable())
			open := func() store.Store { return New(open(t, server.Addr()), Options{}) }
			r := leasetest.Rewind{Keep: leasetest.Backup(server), Open: open, Crash: play.crash}
			if play.quarantine {
				r.Then = func(store.View) { require.NoError(t, open().Delete(t.Context(), "")) }
			}
			assert.Equal(t, play.mayDuplicate, r.Play(t) > 0)
		})
	}
}

// A backup is restored as a new cluster, at the address of the old one. The holders notice it as
// they do in the same cluster.
func TestRestoredAsANewCluster(t *testing.T) {
	t.Parallel()
	was, is := testserver.Etcd(t, testserver.Durable()), testserver.Etcd(t, testserver.Durable())
	front := testserver.NewProxy(t, was.Addr())
	keep := func() (goBack func()) {
		all, err := open(t, was.Addr()).Get(t.Context(), "/", clientv3.WithPrefix())
		require.NoError(t, err)
		for _, kv := range all.Kvs {
			_, err := open(t, is.Addr()).Put(t.Context(), string(kv.Key), string(kv.Value))
			require.NoError(t, err)
		}
		return func() {
			was.Stop()
			front.Turn(is.Addr())
		}
	}
	open := func() store.Store { return New(open(t, front.Addr()), Options{}) }
	assert.Zero(t, leasetest.Rewind{Keep: keep, Open: open}.Play(t))
}
