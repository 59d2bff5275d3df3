package sqlstore

import (
	"database/sql"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// DB is a Store with a pool of connections of its own.
type DB struct {
	Store
	pool *sql.DB
}

// Close closes the connections. Close generators first: they give their worker ids back.
func (db *DB) Close() error { return db.pool.Close() }

// Open returns a store with a pool of two connections of its own, so that an application which uses
// all connections of its pool does not end ids. It takes what sql.Open takes. The driver has to be
// imported, and its name or its package's tells whether it is one for MySQL and MariaDB, PostgreSQL
// or SQLite. For SQLite, dsn may also be the path of a file, which is opened as by SQLiteDSN. The
// error wraps worker.ErrClaim. Whether there is a server is not known before the first call.
func Open(driver, dsn string) (*DB, error) {
	pool, err := sql.Open(driver, dsn)
	if err != nil {
		if text := err.Error(); !strings.Contains(text, "unknown driver") &&
			!strings.HasPrefix(text, "invalid DSN") {
			err = errUnread // the text may quote the password
		}
		return nil, fmt.Errorf("sqlstore: opening %q: %w: %w", driver, worker.ErrClaim, err)
	}
	db := &DB{pool: pool}
	home := reflect.Indirect(reflect.ValueOf(pool.Driver())).Type().PkgPath()
	is := func(name string) bool { return strings.Contains(strings.ToLower(driver)+" "+home, name) }
	postgres := is("pgx") || is("postgres") || is("lib/pq")
	switch {
	case dsn == "" && (is("mysql") || is("maria") || postgres && !slices.ContainsFunc(os.Environ(),
		func(variable string) bool { return strings.HasPrefix(variable, "PG") })):
		// Drivers take it for a server on this machine, those of PostgreSQL if no variable names one.
		pool.Close()
		return nil, fmt.Errorf("sqlstore: opening %q: %w: the data source name is empty: is the "+
			"variable set that it comes from?", driver, worker.ErrClaim)
	case is("mysql"), is("maria"):
		own := mysql
		own.moved = "" // nobody else has these connections
		db.Store = &tables{db: pool, dialect: own}
	case postgres:
		db.Store = Postgres(pool)
	case !is("sqlite"):
		pool.Close()
		return nil, fmt.Errorf("sqlstore: %w: driver %q may be for any database: pass what sql.Open "+
			"returns to MySQL, Postgres or SQLite", worker.ErrClaim, driver)
	case dsn == "" || !strings.HasPrefix(dsn, "file:") && !strings.Contains(dsn, "?"):
		pool.Close()
		return Open(driver, SQLiteDSN(dsn))
	default:
		db.Store = SQLite(pool)
	}
	pool.SetMaxOpenConns(2)
	if db.Store.(*tables).file == nil {
		pool.SetConnMaxLifetime(time.Minute) // else some stay with a server that a proxy left again
	}
	return db, nil
}
