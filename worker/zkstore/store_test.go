package zkstore

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	servertest.Suite{
		Server: testserver.ZooKeeper, Cluster: testserver.ZooKeeperEnsemble,
		Open: func(t *testing.T, addrs ...string) store.Store {
			return New(open(t, addrs...), Options{})
		},
		None: []store.Store{New(nil, Options{})}, Hands: hands, Put: `{"nonce":"`,
		Reads: []string{"Open", "Delete"}, // Down: the first to find out hears of a broken connection
		Version: func(t *testing.T, s store.Store) int64 {
			mark(t, s, 0) // there is one
			_, stat, err := of(s).conn.Get(node(s, 0))
			require.NoError(t, err)
			return int64(stat.Version)
		},
	}.Run(t)
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
