package redisstore

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

func TestWrongPassword(t *testing.T) {
	server := testserver.Redis(t, testserver.Durable(),
		testserver.Args("--requirepass", "open-sesame"))
	for name, c := range map[string]struct{ password, say string }{
		"wrong": {"close-sesame", "check user and password"},
		"none":  {"", "requires a password"},
	} {
		t.Run(name, func(t *testing.T) {
			calls := func() map[string]func() error {
				// A server ends the connection of a stranger who sends a long command.
				s := newRows(as(t, server.Addr(), "", c.password), Options{})
				return leasetest.Calls(t.Context(), s, store.Write{Pool: leasetest.Pool, Epoch: "any"})
			}
			for what := range calls() {
				err := calls()[what]()
				require.ErrorContains(t, err, c.say, what)
				assert.ErrorIs(t, err, worker.ErrDenied, what)
				assert.NotContains(t, err.Error(), "-sesame", what)
				assert.NotErrorIs(t, err, worker.ErrStore, what)
			}
		})
	}
}

func TestErrorsOfAWrongAddress(t *testing.T) {
	for _, err := range []error{io.EOF, context.DeadlineExceeded} {
		err = explain("writing", err, "; see the next view")
		assert.ErrorContains(t, err, "both sides use TLS; see the next view")
	}
	s := fresh(openWith(t, &redis.Options{Addr: server.Get(t).Addr(), DB: 99}))
	_, err := s.Check(t.Context())
	require.ErrorIs(t, err, worker.ErrClaim, "no start tries again")
	assert.ErrorContains(t, err, "no database of that number")
}

func TestEditedByHand(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	layout := leasetest.Pool.Layout
	good, err := s.client.HGet(t.Context(), s.rowsKey(layout), "1").Result()
	require.NoError(t, err)
	w := leasetest.Acquisition(leasetest.View(t, s))
	w.Worker = 1
	for part, values := range map[int][]string{
		0: {"", "0123", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef0"},
		1: {"", "many", "1e9", "007", "99999999999999999999"},
		2: {"2", "yes"},
		3: {"tomorrow", "-"},
		5: {"0", "5000"},
		6: {"30000", "1"},
	} {
		for _, value := range values {
			parts := strings.Split(good, " ")
			parts[part] = value
			must(t, s.client, "HSET", s.rowsKey(layout), "1", strings.Join(parts, " "))
			v := leasetest.View(t, s)
			require.ErrorIs(t, v.Unreadable, worker.ErrStore, "%d = %q", part, value)
			assert.ErrorContains(t, v.Unreadable, "worker id 1")
			assert.Len(t, v.Rows, 3)
		}
	}
	must(t, s.client, "HSET", s.rowsKey(layout), "1", "")
	for _, shown := range []string{layout, "another"} {
		v, err := s.View(t.Context(), store.Pool{Layout: shown, Unit: leasetest.Pool.Unit}, 0, 3)
		require.NoError(t, err)
		require.ErrorIs(t, v.Unreadable, worker.ErrStore, "shown by %s", shown)
	}
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)

	must(t, s.client, "HSET", s.rowsKey(layout), "1", good, "01", good)
	require.ErrorIs(t, leasetest.View(t, s).Unreadable, worker.ErrStore)
	must(t, s.client, "HDEL", s.rowsKey(layout), "01")
	require.NoError(t, leasetest.View(t, s).Unreadable)
}

// A head that was edited, or is another version's, is refused until an operator has deleted it.
func TestAHeadThatCannotBeRead(t *testing.T) {
	for _, change := range [][]any{{"HDEL", "floor"}, {"HDEL", "slack"}, {"HSET", "slack", "5s"},
		{"HSET", "slack", "0"}, {"HSET", "floor", "1e9"}, {"HDEL", "epoch"}} {
		s := shared(t)
		leasetest.Make(t, s)
		layout := leasetest.Pool.Layout
		must(t, s.client, append([]any{change[0], s.headKey(layout)}, change[1:]...)...)
		_, err := s.View(t.Context(), leasetest.Pool, 0, 3)
		require.ErrorIs(t, err, worker.ErrStore, change)
		assert.ErrorContains(t, err, "quarantine --store URL --unreadable")
		_, err = worker.Quarantine(t.Context(), s, worker.QuarantineOptions{})
		require.ErrorIs(t, err, worker.ErrStore, change)
		assert.ErrorContains(t, err, s.headKey(layout))
		q, err := worker.Quarantine(t.Context(), s, worker.QuarantineOptions{Unreadable: true})
		require.NoError(t, err)
		assert.ErrorIs(t, q.Unreadable, worker.ErrStore)
		v := leasetest.View(t, s)
		assert.Zero(t, v.Head, change)
		assert.Empty(t, v.Rows, change)
	}
}

// Somebody deletes the set of layouts, while rows are left that another process has just made.
// They count as deleted.
func TestRowsOfALayoutThatIsNotListed(t *testing.T) {
	s := shared(t)
	leasetest.Make(t, s)
	layout, created := leasetest.Pool.Layout, leasetest.Nonce()
	require.NoError(t, s.Create(t.Context(), leasetest.Pool, []int64{7}, created))
	w := leasetest.Acquisition(leasetest.View(t, s))
	must(t, s.client, "DEL", s.key("layouts"))
	before, err := s.client.HGetAll(t.Context(), s.rowsKey(layout)).Result()
	require.NoError(t, err)
	assert.Empty(t, leasetest.View(t, s).Rows)
	v, err := s.View(t.Context(), leasetest.Pool, 0, 0)
	require.NoError(t, err)
	assert.Empty(t, v.Rows)
	applied, err := s.Write(t.Context(), w)
	require.NoError(t, err)
	assert.False(t, applied)
	require.NoError(t, s.Open(t.Context(), leasetest.Pool, []int64{7}, created,
		store.Row{Nonce: leasetest.Nonce(), Open: true}))
	after, err := s.client.HGetAll(t.Context(), s.rowsKey(layout)).Result()
	require.NoError(t, err)
	assert.Equal(t, before, after)
}
