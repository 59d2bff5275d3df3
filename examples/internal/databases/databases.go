// Package databases starts real databases for the tests of the examples.
package databases

import (
	"path/filepath"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// Each runs a test on an empty database of each of some drivers. A server that is
// not installed skips that part by name, or fails it: see package testserver.
func Each(t *testing.T, drivers []string, test func(t *testing.T, d demo.Database)) {
	t.Helper()
	for _, driver := range drivers {
		t.Run(driver, func(t *testing.T) { test(t, demo.Database{Driver: driver, DSN: start(t, driver)}) })
	}
}

func start(t *testing.T, driver string) (dsn string) {
	t.Helper()
	switch driver {
	case "mysql":
		return testserver.MariaDB(t, testserver.Durable()).DSN()
	case "pgx":
		return testserver.Postgres(t, testserver.Durable()).DSN()
	case "sqlite":
		return sqlstore.SQLiteDSN(filepath.Join(t.TempDir(), "shop.db"))
	}
	t.Fatalf("no database has the driver %q", driver)
	return ""
}
