package etcdstore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	s := shared(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(of(s).client) },
		storetest.Options{Hands: hands})
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

func TestAVersionThatComesAgain(t *testing.T) {
	s := shared(t)
	late := New(of(s).client, Options{Prefix: prefix(s)})
	leasetest.TestAVersionThatComesAgain(t, late, s, func() int64 {
		answer, err := of(s).client.Get(t.Context(), rowKey(s, 0))
		require.NoError(t, err)
		return answer.Kvs[0].Version
	})
}

func TestNoClient(t *testing.T) {
	t.Parallel()
	_, err := New(nil, Options{}).Check(t.Context())
	require.ErrorContains(t, err, "that the store was made with is nil")
	assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
}
