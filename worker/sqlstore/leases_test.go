package sqlstore

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestLeases(t *testing.T) {
	for dialect, on := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			e := on(t, testserver.Durable())
			open := func(t *testing.T) store.Store { return e.fresh(t).Leases() }
			if e.server == nil {
				storetest.Run(t, open, storetest.WithHands(hands))
				return
			}
			var newest *sql.DB
			storetest.Run(t, func(t *testing.T) store.Store {
				s := e.fresh(t).Leases()
				newest = s.db
				return s
			}, storetest.WithRestart(func(t *testing.T) { anotherIncarnation(t, e, newest) }), storetest.WithHands(hands))
		})
	}
}

// anotherIncarnation restarts the server, and again while MariaDB counts the start
// in the same second.
func anotherIncarnation(t *testing.T, e env, db *sql.DB) {
	was := e.incarnation(t)
	for now := e; now.incarnation(t) == was; now = e.again() {
		e.server.Kill()
		e.server.Start()
	}
	drain(t, db)
	drain(t, e.db)
}

// incarnation is what the server's statements say of it.
func (e env) incarnation(t *testing.T) (name string) {
	t.Helper()
	server := map[string]string{"mysql": mysqlServer, "pgx": postgresServer, "sqlite": sqliteServer}[e.driver]
	require.NoError(t, e.db.QueryRowContext(t.Context(), "SELECT "+server).Scan(&name))
	return name
}

// drain closes the connections that a restart has left dead in the pool.
func drain(t *testing.T, db *sql.DB) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(2)
	require.NoError(t, db.PingContext(t.Context()))
}

// hands change rows as people do with their database's client.
func hands(t *testing.T, store store.Store) storetest.Hands {
	l := store.(*Leases)
	exec := func(statement string, args ...any) {
		result, err := l.db.ExecContext(t.Context(), l.bind(statement), args...)
		require.NoError(t, err)
		n, err := result.RowsAffected()
		require.NoError(t, err)
		require.Equal(t, int64(1), n, statement)
	}
	return storetest.Hands{
		Catalog:       catalog{l},
		DropNamespace: func(name string) { exec(`DELETE FROM uid_ns WHERE ns = ?`, name) },
		DropRow: func(name string, id int64) {
			exec(`DELETE FROM uid_worker WHERE ns = ? AND worker_id = ?`, name, id)
		},
		DropSpace: func(fingerprint string) { exec(`DELETE FROM uid_space WHERE fingerprint = ?`, fingerprint) },
		SetWindow: func(name string, window int64) {
			exec(`UPDATE uid_ns SET window_ticks = ? WHERE ns = ?`, window, name)
		},
	}
}
