package integration

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// A worker id of its own needs the store at the start alone.
func TestIdsGoOnWithoutTheirStore(t *testing.T) {
	forDialects(t, func(t *testing.T, e env) {
		g, err := uid.New(t.Context(), worker.Disposable(e.Store),
			uid.Config{Layout: layoutOfMove(), Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		defer g.Close()
		require.NoError(t, e.db.Close())
		if e.server != nil {
			e.server.Stop()
		}
		before := uid.ID(-1)
		for range 10 << layoutOfMove().SeqBits { // more than the ring holds
			id, err := g.GetUID()
			require.NoError(t, err)
			require.Greater(t, id, before)
			before = id
		}
	})
}

// readOnly are the statements that make a server read-only, and that undo it.
var readOnly = map[string][2][]string{
	"mysql": {{"SET GLOBAL read_only = ON"}, {"SET GLOBAL read_only = OFF"}},
	"pgx": {
		{"ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()"},
		{"ALTER SYSTEM SET default_transaction_read_only = off", "SELECT pg_reload_conf()"},
	},
}

// A server that is made read-only is no place to start. Who has a worker id keeps it, and
// is granted more as soon as the server takes writes again.
func TestServerThatIsMadeReadOnly(t *testing.T) {
	forEachServer(t, func(t *testing.T, e env) {
		e.leased()
		e.inited()
		user := e.lessee() // administrators may write all the same
		l := user.Store
		lease := assign(t, l)
		_, w := row(t, l)
		e.exec(readOnly[e.driver][0]...)
		require.Eventually(t, func() bool { _, err := l.Check(t.Context()); return err != nil },
			time.Minute, 5*time.Millisecond)
		drain(t, user.db) // of PostgreSQL, each connection hears of it by itself

		_, err := worker.Leased(l, worker.Claim{}).Assign(t.Context(), need)
		require.ErrorIs(t, err, worker.ErrStore)
		assert.ErrorContains(t, err, "read-only")
		_, err = worker.Disposable(user.Store).Assign(t.Context(), needOfTests)
		require.ErrorContains(t, err, "read-only")
		applied, err := l.Write(t.Context(), w)
		require.ErrorContains(t, err, "read-only")
		assert.False(t, applied)

		require.NoError(t, lease.Err())
		_, before := lease.Grant()
		e.exec(readOnly[e.driver][1]...)
		require.Eventually(t, func() bool {
			_, hi := lease.Grant()
			lease.Want(hi + 1)
			return hi > before
		}, time.Minute, 5*time.Millisecond)
		assert.NoError(t, lease.Err())
	}, testserver.Durable())
}
