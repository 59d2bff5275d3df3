package integration

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestLeases(t *testing.T) {
	t.Parallel()
	for dialect, on := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			e := on(t, testserver.Durable())
			var newest env
			open := func(t *testing.T) store.Store {
				newest = e.fresh(t)
				return newest.Leases()
			}
			options := []storetest.Option{storetest.WithHands(func(t *testing.T,
				s store.Store) storetest.Hands {
				return newest.hands(s.(*sqlstore.Leases))
			})}
			if e.server != nil {
				e.leased()
				options = append(options,
					storetest.WithRestart(func(t *testing.T) { anotherIncarnation(t, e, newest) }))
			}
			storetest.Run(t, open, options...)
		})
	}
}

// anotherIncarnation restarts the server, and again while MariaDB counts the start
// in the same second.
func anotherIncarnation(t *testing.T, e, newest env) {
	was := e.incarnation(t)
	for now := e; now.incarnation(t) == was; now = e.again() {
		e.server.Kill()
		e.server.Start()
	}
	drain(t, newest.db)
	drain(t, e.db)
}

// incarnation is what the server says of itself, asked for a namespace that is there.
func (e env) incarnation(t *testing.T) string {
	t.Helper()
	v, err := e.Leases().View(t.Context(), "default", 0, 0)
	require.NoError(t, err)
	return v.Server
}

// drain closes the connections that a restart has left dead in the pool.
func drain(t *testing.T, db *sql.DB) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(2)
	require.NoError(t, db.PingContext(t.Context()))
}

// hands change rows as people do with their database's client.
func (e env) hands(l *sqlstore.Leases) storetest.Hands {
	change := func(statement string, args ...any) {
		result, err := e.db.ExecContext(e.t.Context(), fmt.Sprintf(statement, args...))
		require.NoError(e.t, err)
		n, err := result.RowsAffected()
		require.NoError(e.t, err)
		require.Equal(e.t, int64(1), n, statement)
	}
	return storetest.Hands{
		Catalog:       l.Catalog(),
		DropNamespace: func(name string) { change(`DELETE FROM uid_ns WHERE ns = '%s'`, name) },
		DropRow: func(name string, id int64) {
			change(`DELETE FROM uid_worker WHERE ns = '%s' AND worker_id = %d`, name, id)
		},
		DropSpace: func(fingerprint string) {
			change(`DELETE FROM uid_space WHERE fingerprint = '%s'`,
				fingerprint)
		},
		SetWindow: func(name string, window int64) {
			change(`UPDATE uid_ns SET window_ticks = %d WHERE ns = '%s'`, window, name)
		},
	}
}
