package zkstore

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestStore(t *testing.T) {
	s := shared(t)
	storetest.Run(t, func(*testing.T) store.Store { return fresh(s.conn) }, storetest.WithHands(hands),
		storetest.WithRowsFirst())
}

// Each fault lets a multi that writes a row reach the server, and cuts the
// connection before the answer.
func TestLinearizableOverCutConnections(t *testing.T) {
	proxy := testserver.NewProxy(t, server.Get(t).Addr())
	s := fresh(open(t, proxy.Addr()))
	storetest.Linearizable(t, s, func() { proxy.CutReplyTo(`{"nonce":"`) })
	assert.NotZero(t, proxy.Cuts())
}

// hands change nodes as people do with the client of ZooKeeper.
func hands(t *testing.T, store store.Store) storetest.Hands {
	s := store.(*Store)
	drop := func(path string) { require.NoError(t, s.conn.Delete(path, -1)) }
	return storetest.Hands{
		Catalog:       catalog{s},
		DropNamespace: func(name string) { drop(s.nsPath(name)) },
		DropRow:       func(name string, id int64) { drop(s.rowPath(name, id)) },
		DropSpace:     func(fingerprint string) { drop(s.spacePath(fingerprint)) },
		SetWindow: func(name string, window int64) {
			text, _, err := s.conn.Get(s.nsPath(name))
			require.NoError(t, err)
			text = regexp.MustCompile(`"window":\d+`).ReplaceAll(text,
				fmt.Appendf(nil, `"window":%d`, window))
			_, err = s.conn.Set(s.nsPath(name), text, -1)
			require.NoError(t, err)
		},
	}
}
