package storeurl

import (
	"cmp"
	"crypto/tls"
	"database/sql"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

// DialTimeout is how long a server may take to answer at all, unless the URL says
// otherwise (timeout=30s for MySQL, connect_timeout=30 for PostgreSQL,
// dial_timeout=30s for Redis).
const DialTimeout = 10 * time.Second

func openSQLite(path string) (*Store, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") || strings.HasPrefix(path, "file:") ||
		strings.Contains(path, "?") {
		return nil, Errorf("--store sqlite: a file is needed, so that no start gets the worker id of " +
			"another, without file: and parameters: type sqlite:worker.db")
	}
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(path))
	if err != nil {
		return nil, err
	}
	s := &Store{Name: "sqlite:" + path}
	s.openTables(db, sqlstore.SQLite, "path")
	return s, nil
}

func (s *Store) openTables(db *sql.DB, tables func(*sql.DB) sqlstore.Store, differ string) {
	s.Table, s.Close = tables(db), db.Close
	s.Leases, s.Place, s.Differ = s.Table, "rows of the table uid_lease", differ
}

// openMySQL opens mysql://USER:PASS@HOST:PORT/DB, with the driver's parameters.
func openMySQL(l *Location, s *Store) error {
	secure, word := (*tls.Config)(nil), l.params.Get("tls")
	if word != "preferred" && word != "skip-verify" { // the driver's own
		secure = l.TLS(false)
	}
	socket := l.Take("socket")
	if l.params.Has("strict") { // the driver would panic
		l.Fail(`there is no parameter "strict"`)
	}
	if err := l.Err(); err != nil {
		return err
	}
	// The driver's errors do not say of which.
	for _, name := range slices.Sorted(maps.Keys(l.params)) {
		one := Location{params: url.Values{name: l.params[name]}}
		if _, err := mysql.ParseDSN("/?" + one.Rest()); err != nil {
			return Errorf("--store mysql: %s: %w: type it as the Go driver reads it", name, err)
		}
	}
	c, err := mysql.ParseDSN("/?" + l.Rest())
	if err != nil {
		return Error{err}
	}
	c.TLS, c.User, c.Passwd, c.DBName = secure, l.User, l.Password, strings.Trim(l.Path, "/")
	c.Net, c.Addr = "tcp", net.JoinHostPort(l.Hostname(), cmp.Or(l.Port(), "3306"))
	if socket != "" {
		c.Net, c.Addr = "unix", socket
	}
	c.Timeout = cmp.Or(c.Timeout, DialTimeout) // of the dial, before the server has answered
	c.ReadTimeout = cmp.Or(c.ReadTimeout, 3*DialTimeout)
	c.Logger = &mysql.NopLogger{} // what it has to say is in the error too
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return Error{err}
	}
	s.openTables(sql.OpenDB(connector), sqlstore.MySQL, "host, port or database")
	return nil
}

// openPostgres opens postgres://USER:PASS@HOST:PORT/DB, as libpq reads it.
func openPostgres(l *Location, s *Store) error {
	u := *l.URL
	if u.User = nil; l.User != "" { // else it is libpq's default
		u.User = url.User(l.User)
	}
	c, err := pgx.ParseConfig(u.String())
	if err != nil {
		return Error{err}
	}
	c.Password = cmp.Or(l.Password, c.Password)
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, DialTimeout)
	s.openTables(stdlib.OpenDB(*c), sqlstore.Postgres, "host, port, database or search_path")
	return nil
}
