package orm

import (
	"database/sql"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/ringuid/ringuid/internal/epoch"
	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func TestMain(m *testing.M) {
	epoch.Move()
	goleak.VerifyTestMain(m)
}

// newIDs returns a generator of worker 7.
func newIDs(t *testing.T) *uid.CachedGenerator {
	t.Helper()
	config := uid.Config{Logger: slog.New(slog.DiscardHandler)}
	gen, err := uid.New(t.Context(), worker.Static(7), config)
	require.NoError(t, err)
	t.Cleanup(func() { gen.Close() })
	return gen
}

// mariaDB and postgres start an empty database each, and return how to reach it.
func mariaDB(t *testing.T) (dsn string)  { return testserver.MariaDB(t).DSN() }
func postgres(t *testing.T) (dsn string) { return testserver.Postgres(t).DSN() }

func openDB(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}
