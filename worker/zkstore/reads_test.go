package zkstore

import (
	"encoding/binary"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// requests are those that a client sent, in their order: what each asks for, and of which path.
type requests struct {
	mu  sync.Mutex
	all []string
}

// asks are ZooKeeper's numbers of requests that read, and of the one that catches up before.
var asks = map[uint32]string{3: "read", 4: "read", 8: "read", 12: "read", 9: "sync"}

// sent is a connection that notes each request.
type sent struct {
	net.Conn
	to *requests
}

// Write gets a whole request: its length and number, what it asks for, and mostly a path after
// the length of that, in 4 bytes each.
func (s sent) Write(b []byte) (int, error) {
	if len(b) >= 16 {
		if ask := asks[binary.BigEndian.Uint32(b[8:])]; ask != "" {
			path := b[16:][:binary.BigEndian.Uint32(b[12:])]
			s.to.mu.Lock()
			s.to.all = append(s.to.all, ask+" "+string(path))
			s.to.mu.Unlock()
		}
	}
	return s.Conn.Write(b)
}

// of returns what was sent while call ran.
func (r *requests) of(t *testing.T, call func() error) []string {
	r.mu.Lock()
	r.all = nil
	r.mu.Unlock()
	require.NoError(t, call())
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NotEmpty(t, r.all)
	return r.all
}

// A server may lag behind what was acknowledged, so it catches up before anything is read. And
// others come last, for who reads them before its own rows would miss one who came in between.
func TestReadsCatchUpAndOthersComeLast(t *testing.T) {
	s, all := shared(t), &requests{}
	seen := on(s, connect(t, unhurried,
		func(network, addr string, timeout time.Duration) (net.Conn, error) {
			conn, err := dial(network, addr, timeout)
			return sent{conn, all}, err
		}, server.Get(t).Addr()))
	leasetest.Make(t, s)
	for _, layout := range []string{"a", "zz"} { // before and behind leasetest's
		p := store.Pool{Layout: layout, Unit: time.Second}
		require.NoError(t, s.Create(t.Context(), p, []int64{0, 1}, leasetest.Nonce()))
	}
	view := func(last int64) func() error {
		return func() error {
			_, err := seen.View(t.Context(), leasetest.Pool, 0, last)
			return err
		}
	}
	catchesUp := func(sent []string) {
		assert.Equal(t, "sync "+of(s).rows, sent[0])
		assert.True(t, slices.ContainsFunc(sent, func(s string) bool {
			return strings.HasPrefix(s, "read ")
		}))
	}

	whole := all.of(t, view(3))
	catchesUp(whole)
	own := "read " + of(s).rows + "/" + leasetest.Pool.Layout
	lastOwn, firstOther := -1, len(whole)
	for i, what := range whole {
		switch {
		case strings.HasPrefix(what, own):
			lastOwn = i
		case strings.HasPrefix(what, "read "+of(s).rows+"/"):
			firstOther = min(firstOther, i)
		}
	}
	assert.Positive(t, lastOwn)
	assert.Less(t, firstOther, len(whole))
	assert.Less(t, lastOwn, firstOther, whole)

	leasetest.Write(t, seen, leasetest.Acquisition(leasetest.View(t, seen)))
	held := all.of(t, view(0))
	catchesUp(held)
	assert.Len(t, held, 2, "a row that this process holds is read alone")
	catchesUp(all.of(t, func() error { return seen.Delete(t.Context(), "a") }))
}
