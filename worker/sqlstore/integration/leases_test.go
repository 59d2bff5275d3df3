package integration

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
	"github.com/ringuid/ringuid/worker/storetest"
)

func TestLeases(t *testing.T) {
	contract := func(t *testing.T, e env) {
		o := storetest.Options{Hands: e.hands}
		if e.server != nil {
			o.Restart = func(t *testing.T) { anotherIncarnation(t, e) }
		}
		storetest.Run(t, func(t *testing.T) store.Store { return e.Store }, o)
	}
	forEachServer(t, durable, contract)
	t.Run("SQLite", func(t *testing.T) { contract(t, onSQLite(t)) })
}

// anotherIncarnation restarts the server, and again while MariaDB counts the start
// in the same second.
func anotherIncarnation(t *testing.T, e env) {
	was := e.incarnation(t)
	for now := e; now.incarnation(t) == was; now = e.again() {
		e.server.Kill()
		e.server.Start()
	}
	drain(t, e.db)
}

// incarnation is what the server says of itself.
func (e env) incarnation(t *testing.T) string {
	t.Helper()
	v, err := e.View(t.Context(), pool, 0, 0)
	require.NoError(t, err)
	return v.Server
}

// drain closes the connections that a restart has left dead in the pool.
func drain(t *testing.T, db *sql.DB) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(2)
	require.NoError(t, db.PingContext(t.Context()))
}

// hands delete what people delete with their database's client.
func (e env) hands(t *testing.T, _ store.Store) storetest.Hands {
	return storetest.Hands{
		DeleteRow: func(layout string, id int64) {
			e.exec(fmt.Sprintf(`DELETE FROM uid_lease WHERE layout = '%s' AND worker_id = %d`, layout, id))
		},
		DeleteHead: func(layout string) {
			e.exec(fmt.Sprintf(`DELETE FROM uid_lease_head WHERE layout = '%s'`, layout))
		},
		DeleteAll: func() { e.exec("DROP TABLE uid_lease", "DROP TABLE uid_lease_head") },
	}
}

// number is what a query for one number answers.
func (e env) number(query string) (n int64, err error) {
	err = e.db.QueryRowContext(e.t.Context(), query).Scan(&n)
	return n, err
}
