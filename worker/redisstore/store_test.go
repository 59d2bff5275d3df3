package redisstore

import (
	"context"
	"io"
	"net"
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

// What the application left on the connection of its client: another database, a transaction that
// it has not ended, another user, messages that nobody has asked for.
func TestConnectionsThatTheApplicationLeft(t *testing.T) {
	in := func(db int) *redis.Client {
		return openWith(t, &redis.Options{Addr: server.Get(t).Addr(), DB: db, PoolSize: 1,
			ReadTimeout: -1})
	}
	s := fresh(in(2))
	leasetest.Make(t, s)
	must(t, in(0), "ACL", "SETUSER", "stranger", "on", "nopass", "+ping", "+auth")
	for _, left := range [][][]any{{{"SELECT", 1}}, {{"SELECT", 1}, {"MULTI"}}, {{"RESET"}},
		{{"CLIENT", "TRACKING", "ON", "BCAST"}}, {{"SUBSCRIBE", "messages"}},
		{{"AUTH", "stranger", "x"}}} {
		w := leasetest.Acquisition(leasetest.View(t, s))
		for what, call := range leasetest.Calls(t.Context(), s, w) {
			if what == "Delete" || what == "Forget" {
				continue
			}
			s.client = in(2)
			for _, command := range left {
				require.NoError(t, s.client.Do(t.Context(), command...).Err())
			}
			require.NoError(t, call(), "%s after %v", what, left)
		}
	}
	for db := range 3 {
		keys, err := in(db).Keys(t.Context(), s.key("*")).Result()
		require.NoError(t, err)
		assert.Equal(t, db == 2, len(keys) > 0, "database %d", db)
	}
}

// Whatever a proxy makes of an answer, the process goes on.
func TestAnswersThatAreNotTheScripts(t *testing.T) {
	const list, text = "*1\r\n", "$1\r\na\r\n"
	for _, answer := range []string{text, ":1\r\n", "*0\r\n", list + text, list + list + ":1\r\n",
		"*3\r\n" + list + text + list + text + list + text, "*3\r\n*0\r\n:1\r\n*0\r\n"} {
		client := openWith(t, &redis.Options{DisableIdentity: true,
			Dialer: func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go answers(t, there, answer)
				return here, nil
			}})
		_, err := fresh(client).View(t.Context(), leasetest.Pool, 0, 9)
		assert.ErrorContains(t, err, "the answer is not the script's", answer)
		err = fresh(client).Delete(t.Context(), "a layout")
		assert.Equal(t, answer == ":1\r\n", err == nil, "%v", err)
	}
}

// answers is a server that knows scripts alone, and answers each in the same way. It is asked in
// RESP2: for RESP3 newer versions of go-redis register handlers in what a client's options share,
// so a second client of them logs an error, or panics.
func answers(t *testing.T, conn net.Conn, with string) {
	defer conn.Close()
	question := make([]byte, 64<<10)
	for {
		n, err := conn.Read(question)
		if err != nil {
			return
		}
		assert.NotContains(t, string(question[:n]), "$5\r\nhello\r\n$1\r\n3")
		answer := "-ERR unknown command\r\n"
		if strings.Contains(string(question[:n]), "eval") {
			answer = with
		}
		_, _ = io.WriteString(conn, answer)
	}
}
