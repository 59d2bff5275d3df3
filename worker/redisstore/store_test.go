package redisstore

import (
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.client) },
		storetest.Options{Hands: hands, Restart: func(*testing.T) {
			server.Kill() // what was acknowledged must be there all the same
			server.Start()
		}})
}

// Each fault lets a command reach the server and cuts the connection before the
// answer.
func TestLinearizableOverCutConnections(t *testing.T) {
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	s := fresh(openWith(t, &redis.Options{Addr: proxy.Addr(), MaxRetries: -1}))
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo("evalsha") })
	assert.NotZero(t, proxy.Cuts())
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

func TestNoClient(t *testing.T) {
	t.Parallel()
	for _, c := range []redis.UniversalClient{nil, (*redis.Client)(nil),
		(*redis.ClusterClient)(nil)} {
		_, err := newRows(c, Options{}).Check(t.Context())
		require.ErrorContains(t, err, "that the store was made with is nil")
		assert.NotErrorIs(t, err, worker.ErrStore, "or a claim may take the risk")
	}
}
