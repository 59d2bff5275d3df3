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
)

// dialTimeout is how long a server may take to answer at all, unless the URL says
// otherwise (timeout=30s for MySQL, connect_timeout=30 for PostgreSQL).
const dialTimeout = 10 * time.Second

// mysqlDB opens mysql://USER:PASS@HOST:PORT/DB?OPTIONS, with the driver's options.
func mysqlDB(u *url.URL) (*sql.DB, error) {
	c, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return nil, err
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
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// postgresDB opens postgres://USER:PASS@HOST:PORT/DB?OPTIONS, as libpq reads it.
func postgresDB(u *url.URL) (*sql.DB, error) {
	c, err := pgx.ParseConfig(u.String())
	if err != nil {
		return nil, err
	}
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, dialTimeout)
	return stdlib.OpenDB(*c), nil
}
