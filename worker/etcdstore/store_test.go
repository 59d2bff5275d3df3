package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	servertest.Suite{
		Server: testserver.Etcd, Cluster: testserver.EtcdCluster,
		Open: func(t *testing.T, addrs ...string) store.Store {
			return New(open(t, addrs...), Options{})
		},
		None: []store.Store{New(nil, Options{})}, Hands: hands, Put: `{"nonce":"`,
		Down: "check that the cluster is running", Reads: []string{"Open"},
		Version: func(t *testing.T, s store.Store) int64 {
			answer, err := of(s).client.Get(t.Context(), rowKey(s, 0))
			require.NoError(t, err)
			return answer.Kvs[0].Version
		},
	}.Run(t)
}

// hands change keys as people do with etcdctl.
func hands(t *testing.T, s store.Store) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			_, err := of(s).client.Delete(t.Context(),
				of(s).key(textstore.Key{Layout: layout, Worker: worker}))
			require.NoError(t, err)
		},
		DeleteAll: func() {
			_, err := of(s).client.Delete(t.Context(), prefix(s), clientv3.WithPrefix())
			require.NoError(t, err)
		},
	}
}

// A store whose prefix lies below that of another one is neither shown nor deleted with that.
func TestAStoreBelowAnother(t *testing.T) {
	above := shared(t)
	below := New(of(above).client, Options{Prefix: prefix(above) + "/below"})
	leasetest.Make(t, above)
	leasetest.Make(t, below)
	before := leasetest.View(t, below)
	leasetest.View(t, above)
	require.NoError(t, above.Delete(t.Context(), ""))
	assert.Empty(t, leasetest.View(t, above).Rows)
	assert.Equal(t, before.Rows, leasetest.View(t, below).Rows)
}
