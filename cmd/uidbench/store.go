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
	"runtime"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

// store is where worker ids come from.
type store struct {
	name   string            // to show: no password in it
	table  sqlstore.Store    // WORKER_NODE; nil where there is none
	leases workerstore.Store // recycled worker ids; nil for static:N
	static int64             // the N of static:N
	close  func() error
	folder string // of uidbench's own file, to be created
}

const storeForms = "sqlite:PATH, mysql://USER:PASS@HOST:PORT/DB, " +
	"postgres://USER:PASS@HOST:PORT/DB, " +
	"redis://HOST:PORT/DB (rediss: with TLS), zk://HOST:PORT[,HOST:PORT]/PATH, " +
	"etcd://HOST:PORT[,HOST:PORT]/PREFIX, k8s:[NAMESPACE] or static:N"

// openStore opens what a --store URL names; an empty one names uidbench's own file. Nothing of
// the URL but its scheme is in an error, as there may be a password.
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
		return openServer(raw, "USER:PASS@HOST:PORT/DB", openMySQL)
	case "postgres", "postgresql":
		return openServer(raw, "USER:PASS@HOST:PORT/DB", openPostgres)
	case "redis", "rediss":
		return openServer(raw, "USER:PASS@HOST:PORT/DB", openRedis)
	case "zk":
		return openServer(raw, "HOST:PORT[,HOST:PORT]/PATH", openZooKeeper)
	case "etcd":
		return openServer(raw, "USER:PASS@HOST:PORT[,HOST:PORT]/PREFIX", openEtcd)
	case "k8s":
		return openKubernetes(rest)
	}
	return nil, usagef("--store: %q is no kind of store: type %s", scheme, storeForms)
}

func openStatic(id string) (*store, error) {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 0 {
		return nil, usagef("--store static:%s: type the worker id as a number, such as static:7", id)
	}
	return &store{
		name:   "static:" + id,
		static: n,
		close:  func() error { return nil },
	}, nil
}

func openSQLite(path string) (*store, error) {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return nil, usagef("--store sqlite: a file is needed, so that no start gets the worker id of " +
			"another: type sqlite:worker.db")
	}
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN(path))
	if err != nil {
		return nil, err
	}
	table := sqlstore.SQLite(db)
	return &store{name: "sqlite:" + path, table: table, leases: table, close: db.Close}, nil
}

// openServer opens a store that has a host, and may have a user and a password.
func openServer(raw, form string, open func(*url.URL, *store) error) (*store, error) {
	scheme, _, _ := strings.Cut(raw, ":")
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "" && scheme != "redis" &&
		scheme != "rediss" ||
		strings.Contains(u.Path, "@") || u.Fragment != "" {
		return nil, usagef("--store %s: type %[1]s://%s, with %%40 for an @ in a password, "+
			"%%2F for a /, %%3F for a ?, %%23 for a # and %%25 for a %%", scheme, form)
	}
	s := &store{name: redacted(u)}
	return s, open(u, s)
}

// openOwn opens the file that uidbench keeps for itself, which is created when a worker id is
// requested.
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
	return s, nil
}

// registrar returns what takes worker ids from the table; if allowed, even where its settings
// may lose them. uidbench's own file is created with the first worker id.
func (s *store) registrar(allowUnfenced bool) (r workerstore.Registrar) {
	r = s.table
	if s.folder != "" {
		r = selfMade{r, s}
	}
	if allowUnfenced {
		r = worker.AllowUnfenced(r)
	}
	return r
}

type selfMade struct {
	workerstore.Registrar
	*store
}

// Kept makes the table, because it is called before Register.
func (s selfMade) Kept(ctx context.Context) error {
	if err := s.makeTable(ctx); err != nil {
		return err
	}
	return s.Registrar.Kept(ctx)
}

// makeTable makes the table if it does not exist.
func (s *store) makeTable(ctx context.Context) error {
	if err := s.makeFolder(); err != nil {
		return err
	}
	return s.table.CreateTable(ctx)
}

// makeFolder makes the folder of uidbench's own file.
func (s *store) makeFolder() error {
	if s.folder == "" {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return fmt.Errorf("the folder for worker ids: %w; choose another file with --store sqlite:PATH",
			err)
	}
	return nil
}

// mustExist returns an error if a SQLite file does not exist, which SQLite would create.
func (s *store) mustExist() error {
	path, ok := strings.CutPrefix(s.name, "sqlite:")
	if !ok {
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s: make it with `uidbench worker init --store %s`", path,
			s.name)
	}
	return nil
}

// ownPath returns the path of the SQLite file in which uidbench keeps worker ids unless told
// otherwise. It is in the folder where the system wants programs to keep what must be neither
// lost nor edited.
func ownPath() (string, error) {
	// https://specifications.freedesktop.org/basedir-spec: a relative path there is to be ignored.
	dir, err := os.Getenv("XDG_STATE_HOME"), error(nil)
	switch {
	case runtime.GOOS == "windows":
		dir, err = os.UserCacheDir() // %LocalAppData%
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		dir, err = os.UserConfigDir() // ~/Library/Application Support
	case !filepath.IsAbs(dir):
		dir, err = os.UserHomeDir()
		dir = filepath.Join(dir, ".local", "state")
	}
	if err != nil {
		return "", fmt.Errorf(
			"no folder to keep worker ids in: %w; choose a file with --store sqlite:PATH", err)
	}
	return filepath.Join(dir, "ringuid", "worker.db"), nil
}
