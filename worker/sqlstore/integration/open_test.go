package integration

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/sqlstore"
	"github.com/ringuid/ringuid/worker/store"
)

// renews waits until the lease was granted more.
func renews(t *testing.T, l worker.Lease) {
	t.Helper()
	_, before := l.Grant()
	leasetest.Until(t, "the lease is renewed", func() error {
		_, hi := l.Grant()
		if l.Want(hi + 1); hi <= before {
			return l.Err()
		}
		return nil
	})
}

// A driver's name, or its package, tells the database.
func TestOpen(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		names := map[string][]string{"mysql": {"mysql"}, "pgx": {"pgx", "pgx/v5", "postgres"},
			"sqlite": {"sqlite"}}[e.driver]
		for _, name := range names {
			db, err := sql.Open(name, e.dsn)
			require.NoError(t, err)
			other := fmt.Sprint("another name ", rand.Uint64())
			sql.Register(other, db.Driver())
			require.NoError(t, db.Close())
			names = append(names, other)
		}
		for _, name := range names {
			db, err := sqlstore.Open(name, e.dsn)
			require.NoError(t, err)
			l := assign(t, db)
			renews(t, l)
			require.NoError(t, l.Release(t.Context(), 0))
			require.NoError(t, db.Close())
			_, err = db.Check(t.Context())
			require.ErrorIs(t, err, worker.ErrClaim)
			assert.ErrorContains(t, err, "close it after the generator")
		}
	})
}

func TestOpenAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?.db")
	for _, dsn := range []string{filepath.Join(filepath.Dir(path), "w.db"), sqlstore.SQLiteDSN(path)} {
		db, err := sqlstore.Open("sqlite", dsn)
		require.NoError(t, err)
		require.NoError(t, db.CreateTable(t.Context()))
		_, err = db.Check(t.Context())
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	assert.FileExists(t, path)
}

type noDriver struct{ driver.Driver }

func TestOpenWithTLSWhereTheServerHasNone(t *testing.T) {
	t.Parallel()
	my := alone(t, "MariaDB", testserver.Args("--skip-ssl")) // 11.4 makes itself a certificate
	pg := among(t, "PostgreSQL").at("sslmode=disable", "sslmode=require")
	for dsn, driver := range map[string]string{my.dsn + "?tls=skip-verify": "mysql", pg.dsn: "pgx",
		pg.dsn + "&application_name=pq": "postgres"} {
		db, err := sqlstore.Open(driver, dsn)
		require.NoError(t, err)
		_, err = db.Store.View(t.Context(), pool, 0, 3)
		assert.ErrorContains(t, err, "the server has no TLS", driver)
		assert.NoError(t, db.Close())
	}
}

// What nobody can open says what to correct, and no password.
func TestOpenWhatIsNone(t *testing.T) {
	sql.Register("of any database", noDriver{})
	_, err := sqlstore.Open("of any database", "")
	require.ErrorIs(t, err, worker.ErrClaim)
	assert.ErrorContains(t, err, "MySQL, Postgres or SQLite")
	t.Setenv("PGHOST", "db")
	db, err := sqlstore.Open("pgx", "")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, os.Unsetenv("PGHOST"))
	for _, driver := range []string{"mysql", "pgx"} {
		_, err = sqlstore.Open(driver, "")
		require.ErrorIs(t, err, worker.ErrClaim, driver)
		assert.ErrorContains(t, err, "is the variable set")
	}
	_, err = sqlstore.Open("mysql", "mysql://u:p@db:3306/d")
	assert.ErrorContains(t, err, "USER:PASSWORD@tcp(HOST:3306)/DATABASE")
	for dsn, name := range map[string]string{
		"u:%s@tcp(db": "mysql", "postgres://u:%s@db/d": "pgx", "postgres://u:%s@db/d?": "postgres",
		"host=db port=port password=%s": "pgx", "%s": "nowhere",
		"postgres://db/d?password=%s&sslmode=verify": "pgx",
		`host=db port=x password='it\'s %s'`:         "pgx",
		"host=db password = %s sslmode=verify":       "pgx",
		"host=db password=a %s sslmode=disable":      "postgres",
	} {
		db, err := sqlstore.Open(name, fmt.Sprintf(dsn, "open/sesame"))
		if err == nil {
			_, err = db.Check(t.Context())
			require.NoError(t, db.Close())
		}
		require.ErrorIs(t, err, worker.ErrClaim, name)
		assert.NotContains(t, err.Error(), "sesame", name)
		assert.NotContains(t, err.Error(), ":open", name)
	}
}

// usedMySQL is a driver behind a proxy that executes USE on connections that it gives to others.
type usedMySQL struct {
	driver.Driver
	database string
}

func (u usedMySQL) Open(dsn string) (driver.Conn, error) {
	c, err := u.Driver.Open(dsn)
	if err == nil {
		_, err = c.(driver.ExecerContext).ExecContext(context.Background(), "USE "+u.database, nil)
	}
	return c, err
}

// Nobody leaves another database on connections that the store has for itself.
func TestOpenBehindAProxyThatExecutesUse(t *testing.T) {
	e := among(t, "MariaDB").inited()
	sql.Register("used mysql", usedMySQL{e.db.Driver(), e.database()})
	own, err := sqlstore.Open("used mysql", e.dsn)
	require.NoError(t, err)
	defer own.Close()
	require.NoError(t, own.CreateTable(t.Context()))
	pool, err := sql.Open("used mysql", e.dsn)
	require.NoError(t, err)
	defer pool.Close()
	err = sqlstore.MySQL(pool).CreateTable(t.Context())
	assert.ErrorContains(t, err, "give worker ids connections of their own (sqlstore.Open)")
}

// An application that uses all connections of its pool stops a store in that pool, whose error
// says so, and no store with a pool of its own.
func TestThePoolIsInUse(t *testing.T) {
	forEachDialect(t, func(t *testing.T, e env) {
		const most = 5
		own, err := sqlstore.Open(e.driver, e.dsn)
		require.NoError(t, err)
		defer own.Close()
		l := assign(t, own)
		e.db.SetMaxOpenConns(most)
		for range most {
			c, err := e.db.Conn(t.Context())
			require.NoError(t, err)
			defer c.Close()
		}
		_, write := row(t, own)
		for what := range leasetest.Calls(t.Context(), e.Store, write) {
			err := leasetest.Calls(leasetest.Soon(t), e.Store, write)[what]()
			require.ErrorIs(t, err, context.DeadlineExceeded, what)
			assert.False(t, final(err), what)
			for _, words := range []string{"no connection of the pool came free", "5 of 5 are in use",
				"nothing was sent to the database", "sqlstore.Open", "trying again is safe"} {
				assert.ErrorContains(t, err, words, what)
			}
			assert.NotContains(t, err.Error(), "did not answer", what)
		}
		renews(t, l)
		require.NoError(t, l.Release(t.Context(), 0))
	})
}

// final reports whether a start gives up at once.
func final(err error) bool {
	return slices.ContainsFunc([]error{worker.ErrStore, worker.ErrClaim, worker.ErrClock,
		worker.ErrOverlap, worker.ErrNoTables, worker.ErrIDRange, worker.ErrOtherLayout,
		worker.ErrRolledBack, worker.ErrDenied}, func(is error) bool { return errors.Is(err, is) })
}

// Servers that have no room or no time for a user now may have it later.
func TestServersThatAreBusy(t *testing.T) {
	one := map[string]string{"mysql": "WITH MAX_USER_CONNECTIONS 1", "pgx": "CONNECTION LIMIT 1"}
	hasty := map[string]string{"MariaDB": "?max_statement_time=0.1",
		"MySQL":      "?max_execution_time=100",
		"PostgreSQL": "&statement_timeout=100"}
	forEachServer(t, among, func(t *testing.T, e env) {
		e = e.inited().fresh(t).inited()
		user := e.lessee()
		e.exec("ALTER USER u" + e.database() + " " + one[e.driver])
		c, err := user.db.Conn(t.Context())
		require.NoError(t, err)
		defer c.Close()
		second := user.again()
		if e.driver == "pgx" { // which tries twice then, and says so in two lines
			second = user.at("sslmode=disable", "sslmode=prefer")
		}
		_, err = second.Store.Check(t.Context())
		require.Error(t, err)
		assert.False(t, final(err), "%v", err)
		assert.ErrorContains(t, err, "let processes keep fewer")
		assert.NotContains(t, err.Error(), "\n", "a line in a log, and in an answer of /readyz")

		tx, err := e.db.Conn(t.Context())
		require.NoError(t, err)
		defer tx.Close()
		lock := map[string]string{"mysql": "LOCK TABLES uid_lease WRITE", "pgx": "BEGIN"}[e.driver]
		_, err = tx.ExecContext(t.Context(), lock)
		require.NoError(t, err)
		if e.driver == "pgx" {
			_, err = tx.ExecContext(t.Context(), "LOCK TABLE uid_lease")
			require.NoError(t, err)
		}
		_, err = open(t, e.driver, e.dsn+hasty[filepath.Base(t.Name())], e.server).
			View(t.Context(), pool, 0, 3)
		require.Error(t, err)
		assert.False(t, final(err), "%v", err)
		assert.ErrorContains(t, err, "longer than the server allows")
	})
}

// A call that ran into its own deadline does not speak of the caller's.
func TestTheTimeOfACallEnds(t *testing.T) {
	forEachServer(t, among, func(t *testing.T, e env) {
		e.leased()
		proxy := testserver.NewProxy(t, e.server.Addr())
		far := e.at(e.server.Addr(), proxy.Addr())
		_, err := far.View(t.Context(), pool, 0, 3)
		require.NoError(t, err)
		proxy.Hang()
		_, err = far.View(leasetest.Soon(t), pool, 0, 3)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.False(t, final(err))
		// pgx asks before it reuses a connection.
		assert.ErrorContains(t, err, "within the time of this call")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, err = far.Raise(ctx, pool, store.Head{}, 0, time.Second)
		require.ErrorIs(t, err, context.Canceled)
		assert.ErrorContains(t, err, "cancelled")
		proxy.Drop()
	})
}
