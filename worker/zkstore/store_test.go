package zkstore

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/textstore"
	"github.com/ringuid/ringuid/worker/internal/texttest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	s := shared(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.zk.conn) },
		storetest.Options{Hands: hands})
}

// hands change nodes as people do with the client of ZooKeeper.
func hands(t *testing.T, of store.Store) storetest.Hands {
	s := of.(*Store)
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			deleteAll(t, s.zk.conn, s.zk.node(textstore.Key{Layout: layout, Worker: worker}))
		},
		DeleteAll: func() { deleteAll(t, s.zk.conn, s.zk.root) },
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
	texttest.TestAVersionThatComesAgain(t, s, s.zk, func() int64 {
		_, stat, err := s.zk.conn.Get(s.node(0))
		require.NoError(t, err)
		return int64(stat.Version)
	})
	s.mark(t, 0) // there is one
}

func TestNoClient(t *testing.T) {
	t.Parallel()
	leasetest.TestNoClient(t, New(nil, Options{}))
}
