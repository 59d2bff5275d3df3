package zkstore

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	s := shared(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(of(s).conn) },
		storetest.Options{Hands: hands})
}

// hands change nodes as people do with the client of ZooKeeper.
func hands(t *testing.T, s store.Store) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			deleteAll(t, of(s).conn, of(s).node(textstore.Key{Layout: layout, Worker: worker}))
		},
		DeleteAll: func() { deleteAll(t, of(s).conn, root(s)) },
	}
}

// deleteAll is deleteall of ZooKeeper's client, repeated when holders create and write rows
// meanwhile.
func deleteAll(t *testing.T, conn *zk.Conn, path string) {
	for {
		names, _, err := conn.Children(path)
		if errors.Is(err, zk.ErrNoNode) {
			return
		}
		require.NoError(t, err)
		for _, name := range names {
			deleteAll(t, conn, path+"/"+name)
		}
		if err := conn.Delete(path, -1); !errors.Is(err, zk.ErrNotEmpty) {
			return
		}
	}
}

func TestAVersionThatComesAgain(t *testing.T) {
	s := shared(t)
	leasetest.TestAVersionThatComesAgain(t, on(s, of(s).conn), s, func() int64 {
		_, stat, err := of(s).conn.Get(node(s, 0))
		require.NoError(t, err)
		return int64(stat.Version)
	})
	mark(t, s, 0) // there is one
}

func TestNoClient(t *testing.T) {
	t.Parallel()
	_, err := New(nil, Options{}).Check(t.Context())
	require.ErrorContains(t, err, "connection is nil")
	assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
}
