package integration

import (
	"database/sql"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

func TestMain(m *testing.M) {
	var around interface{ Run() int } = m
	for name, s := range servers {
		shared[name] = testserver.Share(func(t testing.TB) *testserver.Server {
			return s.start(t, testserver.Durable())
		})
		around = shared[name].Around(around)
	}
	goleak.VerifyTestMain(around)
}

// stores is how a test gets from a driver to its store.
var stores = map[string]func(*sql.DB) sqlstore.Store{"mysql": sqlstore.MySQL,
	"pgx": sqlstore.Postgres, "sqlite": sqlstore.SQLite}
