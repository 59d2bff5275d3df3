package redisstore

import (
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/internal/servertest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	servertest.Suite{
		Server: testserver.Redis,
		Open: func(t *testing.T, addrs ...string) store.Store {
			return newRows(open(t, addrs[0]), Options{})
		},
		None: []store.Store{newRows(nil, Options{}), newRows((*redis.Client)(nil), Options{}),
			newRows((*redis.ClusterClient)(nil), Options{})},
		Hands: hands, Put: "evalsha", Down: "no server answers there",
	}.Run(t)
}

// hands change keys as people do with redis-cli.
func hands(t *testing.T, store store.Store) storetest.Hands {
	s := store.(*rows)
	return storetest.Hands{
		DeleteRow: func(layout string, worker int64) {
			must(t, s.client, "HDEL", s.rowsKey(layout), strconv.FormatInt(worker, 10))
		},
		DeleteHead: func(layout string) { must(t, s.client, "DEL", s.headKey(layout)) },
		DeleteAll: func() {
			must(t, s.client, "PING")
			keys, err := s.client.Keys(t.Context(), s.key("*")).Result()
			require.NoError(t, err)
			for _, key := range keys {
				must(t, s.client, "DEL", key)
			}
		},
	}
}

// A client that repeats commands whose answer is lost does not repeat what writes: the answer
// to the repetition would be that nothing was written, and a row that was deleted meanwhile
// would be created with the nonce that it had.
func TestNotRepeatedByTheClient(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	repeating := newRows(open(t, proxy.Addr()), s.o)

	w := leasetest.Acquisition(leasetest.View(t, repeating))
	require.NoError(t, script("write").Load(t.Context(), s.client).Err())
	proxy.CutReplyTo(script("write").Hash())
	_, err := repeating.Write(t.Context(), w)
	require.Error(t, err, "the outcome is not known")
	assert.Equal(t, 1, proxy.Cuts())
	assert.Equal(t, w.Nonce, leasetest.View(t, s).Rows[0].Nonce, "it was written")

	require.NoError(t, script("create").Load(t.Context(), s.client).Err())
	proxy.CutReplyTo(script("create").Hash())
	err = repeating.Create(t.Context(), leasetest.Pool, []int64{9}, store.Nonce{9})
	require.Error(t, err)
	assert.Equal(t, 2, proxy.Cuts())
}
