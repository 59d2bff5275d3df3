package main

import (
	"cmp"
	"database/sql"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/worker/sqlstore"
)

// dialTimeout is how long a server may take to answer at all, unless the URL says
// otherwise (timeout=30s for MySQL, connect_timeout=30 for PostgreSQL,
// dial_timeout=30s for Redis).
const dialTimeout = 10 * time.Second

// openMySQL opens mysql://USER:PASS@HOST:PORT/DB?OPTIONS, with the driver's
// options.
func openMySQL(u *url.URL, s *store) error {
	c, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return usageError{err}
	}
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	c.Net = "tcp"
	c.Addr = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "3306"))
	c.DBName = strings.Trim(u.Path, "/")
	c.Timeout = cmp.Or(c.Timeout, dialTimeout)
	c.Logger = &mysql.NopLogger{} // what it has to say is in the error too
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return usageError{err}
	}
	s.openTable(sql.OpenDB(connector), sqlstore.MySQL)
	return nil
}

// openPostgres opens postgres://USER:PASS@HOST:PORT/DB?OPTIONS, as libpq reads it.
func openPostgres(u *url.URL, s *store) error {
	c, err := pgx.ParseConfig(u.String())
	if err != nil {
		return usageError{err}
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, dialTimeout)
	s.openTable(stdlib.OpenDB(*c), sqlstore.Postgres)
	return nil
}

func (s *store) openTable(db *sql.DB, table func(*sql.DB) sqlstore.Store) {
	s.table, s.close = table(db), db.Close
	s.leases = s.table
}
