package redisstore

import (
	"context"
	"strconv"
	"strings"
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
	require.NoError(t, script("write", 0).Load(t.Context(), s.client).Err())
	proxy.CutReplyTo(script("write", 0).Hash())
	_, err := repeating.Write(t.Context(), w)
	require.Error(t, err, "the outcome is not known")
	assert.Equal(t, 1, proxy.Cuts())
	assert.Equal(t, w.Nonce, leasetest.View(t, s).Rows[0].Nonce, "it was written")

	require.NoError(t, script("create", 0).Load(t.Context(), s.client).Err())
	proxy.CutReplyTo(script("create", 0).Hash())
	err = repeating.Create(t.Context(), leasetest.Pool, []int64{9}, store.Nonce{9})
	require.Error(t, err)
	assert.Equal(t, 2, proxy.Cuts())
}

// What the application left on a connection of its client, which the store takes next: another
// database, a transaction that it has not ended, or both.
func TestConnectionsThatTheApplicationLeft(t *testing.T) {
	client := openWith(t, &redis.Options{Addr: server.Get(t).Addr(), DB: 2, PoolSize: 1})
	s := fresh(client)
	leasetest.Make(t, s)
	for _, left := range [][][]any{{{"SELECT", 1}}, {{"MULTI"}}, {{"SELECT", 1}, {"MULTI"}}} {
		w := leasetest.Acquisition(leasetest.View(t, s))
		for what, call := range leasetest.Calls(t.Context(), s, w) {
			if what == "Check" || what == "Delete" || what == "Forget" {
				continue
			}
			for _, command := range left {
				require.NoError(t, client.Do(t.Context(), command...).Err())
			}
			require.NoError(t, call(), "%s after %v", what, left)
		}
	}
	for db := range 3 {
		other := openWith(t, &redis.Options{Addr: server.Get(t).Addr(), DB: db})
		keys, err := other.Keys(t.Context(), s.key("*")).Result()
		require.NoError(t, err)
		assert.Equal(t, db == 2, len(keys) > 0, "database %d", db)
	}
}

// Whatever a proxy or a hook makes of an answer, the process goes on.
func TestAnswersThatAreNotTheScripts(t *testing.T) {
	list, text := func(a ...any) any { return a }, "a"
	for _, answer := range []any{nil, text, int64(1), list(), list(text), list(list(int64(1))),
		list(list(text), list(text), list(text)), list(list(), nil, list())} {
		client := openWith(t, &redis.Options{Addr: server.Get(t).Addr()})
		client.AddHook(answers{answer})
		_, err := fresh(client).View(t.Context(), leasetest.Pool, 0, 9)
		assert.ErrorContains(t, err, "the answer is not the script's", "%v", answer)
		err = fresh(client).Delete(t.Context(), "a layout")
		assert.Equal(t, answer == any(int64(1)), err == nil, "%v", err)
	}
}

// answers is a hook that answers each script.
type answers struct{ with any }

func (answers) DialHook(next redis.DialHook) redis.DialHook { return next }

func (a answers) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		if script, is := c.(*redis.Cmd); is && strings.HasPrefix(c.Name(), "eval") {
			script.SetVal(a.with)
			return nil
		}
		return next(ctx, c)
	}
}

func (answers) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
