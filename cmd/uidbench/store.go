package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// store is where worker ids come from.
type store struct {
	name     string          // to show: no password in it
	table    *sqlstore.Store // nil for static:N
	assigner worker.Assigner
	close    func() error
	secrets  []string // never to be shown
	folder   string   // of uidbench's own file, to be made
}

const storeForms = "sqlite:PATH, mysql://USER:PASS@HOST:PORT/DB, postgres://USER:PASS@HOST:PORT/DB or static:N"

// openStore opens what a --store URL names, nothing for the file of uidbench's
// own. Nothing of the URL but its scheme is in an error: there may be a password.
func openStore(raw string) (*store, error) {
	if raw == "" {
		return openOwn()
	}
	scheme, rest, ok := strings.Cut(raw, ":")
	if !ok {
		return nil, usagef("--store: that is not a URL: type %s", storeForms)
	}
	switch scheme {
	case "static":
		return openStatic(rest)
	case "sqlite":
		return openSQLite(strings.TrimPrefix(rest, "//"))
	case "mysql", "mariadb":
		return openServer(raw, mysqlDB, sqlstore.MySQL)
	case "postgres", "postgresql":
		return openServer(raw, postgresDB, sqlstore.Postgres)
	case "redis", "rediss", "zk", "etcd":
		return nil, usagef("--store %s: recycled worker ids are not available yet: type %s", scheme, storeForms)
	}
	return nil, usagef("--store: %q is no kind of store: type %s", scheme, storeForms)
}

func openStatic(id string) (*store, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 0 {
		return nil, usagef("--store static:%s: type the worker id as a number, such as static:7", id)
	}
	return &store{
		name:     "static:" + id,
		assigner: worker.Static(n),
		close:    func() error { return nil },
	}, nil
}

func openTable(name string, db *sql.DB, table *sqlstore.Store) *store {
	return &store{name: name, table: table, assigner: worker.Disposable(table), close: db.Close}
}

func openSQLite(path string) (*store, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, usagef("--store sqlite: a file is needed, so that no start gets the worker id of another: type sqlite:worker.db")
	}
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(path))
	if err != nil {
		return nil, err
	}
	return openTable("sqlite:"+path, db, sqlstore.SQLite(db)), nil
}

// openServer opens a database that has a host, a user and a password.
func openServer(raw string, open func(*url.URL) (*sql.DB, error), table func(*sql.DB) *sqlstore.Store) (*store, error) {
	scheme, _, _ := strings.Cut(raw, ":")
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" || strings.Contains(u.Path, "@") || u.Fragment != "" {
		return nil, usagef("--store %[1]s: type %[1]s://USER:PASS@HOST:PORT/DB, with %%40 for an @ in the password, "+
			"%%2F for a /, %%3F for a ?, %%23 for a # and %%25 for a %%", scheme)
	}
	db, err := open(u)
	if err != nil {
		return nil, usageError{censored{err, secretsOf(u)}}
	}
	s := openTable(shown(u), db, table(db))
	s.secrets = secretsOf(u)
	s.assigner = discreet{s.assigner, s.secrets}
	return s, nil
}

// openOwn opens the file that uidbench keeps for itself, which is made when a
// worker id is asked for.
func openOwn() (*store, error) {
	path, err := ownPath()
	if err != nil {
		return nil, err
	}
	s, err := openSQLite(path)
	if err != nil {
		return nil, err
	}
	s.folder = filepath.Dir(path)
	s.assigner = selfMade{s}
	return s, nil
}

// selfMade makes the table before it assigns from it.
type selfMade struct{ *store }

func (s selfMade) Assign(ctx context.Context, n worker.Need) (worker.Lease, error) {
	if err := s.makeTable(ctx); err != nil {
		return nil, err
	}
	return worker.Disposable(s.table).Assign(ctx, n)
}

// makeTable makes the table where there is none.
func (s *store) makeTable(ctx context.Context) error {
	if s.folder != "" {
		if err := os.MkdirAll(s.folder, 0o700); err != nil {
			return fmt.Errorf("the folder for worker ids: %w; choose another file with --store sqlite:PATH", err)
		}
	}
	return s.censor(s.table.Init(ctx))
}

// censor takes the store's secrets out of an error.
func (s *store) censor(err error) error {
	if err == nil {
		return nil
	}
	return censored{err, s.secrets}
}

// mustExist says that a SQLite file is not there, which SQLite would make.
func (s *store) mustExist() error {
	path, ok := strings.CutPrefix(s.name, "sqlite:")
	if !ok {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s: make it with `uidbench worker init --store %s`", path, s.name)
	}
	return nil
}
