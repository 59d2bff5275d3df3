package redisstore

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	server, s := durable(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.client) },
		storetest.WithRestart(func(*testing.T) {
			server.Kill() // what was acknowledged must be there all the same
			server.Start()
		}), storetest.WithHands(hands), storetest.WithRowsFirst())
}

// Each fault lets a command reach the server and cuts the connection before the
// answer.
func TestLinearizableOverCutConnections(t *testing.T) {
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	s := fresh(openWith(t, proxy.Addr(), -1))
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo("evalsha") })
	assert.NotZero(t, proxy.Cuts())
}

// A client that sends a command again when its answer is lost must not take the
// second answer, that the nonce is gone, for the first.
func TestRepeatedByTheClient(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	repeating := s.on(openWith(t, proxy.Addr(), 3))

	w := leasetest.Acquisition(leasetest.View(t, repeating))
	require.NoError(t, writeScript.Load(t.Context(), s.client).Err())
	proxy.CutReplyTo(writeScript.Hash())
	applied, err := repeating.Write(t.Context(), w)
	require.NoError(t, err)
	assert.True(t, applied)
	assert.Equal(t, 1, proxy.Cuts())

	applied, err = repeating.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied, "another call is another write")
}

// hands change keys as people do with redis-cli.
func hands(t *testing.T, store store.Store) storetest.Hands {
	s := store.(*Store)
	return storetest.Hands{
		Catalog:       catalog{s},
		DropNamespace: func(name string) { must(t, s, "DEL", s.nsKey(name)) },
		DropRow:       func(name string, id int64) { must(t, s, "DEL", s.rowKey(name, id)) },
		DropSpace:     func(fingerprint string) { must(t, s, "DEL", s.spaceKey(fingerprint)) },
		SetWindow: func(name string, window int64) {
			must(t, s, "HSET", s.nsKey(name), "window", strconv.FormatInt(window, 10))
		},
	}
}
