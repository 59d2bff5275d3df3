package integration

import (
	"database/sql"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stores is how a test gets from a driver to its store.
var stores = map[string]func(*sql.DB) sqlstore.Store{"mysql": sqlstore.MySQL,
	"pgx": sqlstore.Postgres, "sqlite": sqlstore.SQLite}
