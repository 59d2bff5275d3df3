package etcdstore

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	s := shared(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.client) },
		storetest.WithHands(hands), storetest.WithRowsFirst())
}

// A store whose prefix lies below a namespace of another one is not deleted with that.
func TestRemoveBesideAStoreBelow(t *testing.T) {
	above := shared(t)
	below := New(above.client, Options{Prefix: above.prefix + "/default"})
	n := store.Namespace{Name: "default", Fingerprint: "a layout", Unit: time.Second, Last: 3,
		Window: 60}
	for _, s := range []*Store{above, below} {
		require.NoError(t, s.Init(t.Context(), n, store.InitOptions{Fresh: true}))
	}
	before, err := below.View(t.Context(), n.Name, 0, 3)
	require.NoError(t, err)
	require.NoError(t, above.Remove(t.Context(), n.Name, store.RemoveOptions{}))
	after, err := below.View(t.Context(), n.Name, 0, 3)
	require.NoError(t, err)
	require.Equal(t, before.Rows, after.Rows)
	_, err = above.View(t.Context(), n.Name, 0, 3)
	require.ErrorIs(t, err, store.ErrNoNamespace)
}

// Each fault lets a transaction that puts a row reach the server, and cuts the
// connection before anything comes back: HTTP/2 acknowledges a request, too.
func TestLinearizableOverCutConnections(t *testing.T) {
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	s := fresh(open(t, proxy.Addr()))
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo(`{"nonce":"`) })
	assert.NotZero(t, proxy.Cuts())
}

// hands change keys as people do with etcdctl.
func hands(t *testing.T, store store.Store) storetest.Hands {
	s := store.(*Store)
	drop := func(key string) {
		answer, err := s.client.Delete(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, int64(1), answer.Deleted, key)
	}
	return storetest.Hands{
		Catalog:       catalog{s},
		DropNamespace: func(name string) { drop(s.nsKey(name)) },
		DropRow:       func(name string, id int64) { drop(s.rowKey(name, id)) },
		DropSpace:     func(fingerprint string) { drop(s.spaceKey(fingerprint)) },
		SetWindow: func(name string, window int64) {
			answer, err := s.client.Get(t.Context(), s.nsKey(name))
			require.NoError(t, err)
			text := regexp.MustCompile(`"window":\d+`).ReplaceAllString(string(answer.Kvs[0].Value),
				fmt.Sprintf(`"window":%d`, window))
			_, err = s.client.Put(t.Context(), s.nsKey(name), text)
			require.NoError(t, err)
		},
	}
}
