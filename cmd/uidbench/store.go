package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/storeurl"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	workerstore "github.com/ringuid/ringuid/worker/store"
)

// store is where worker ids come from: see storeurl.Store.
type store struct {
	name, place, differ string
	table               sqlstore.Store
	leases              workerstore.Store
	static              int64
	close               func() error
	folder              string // of uidbench's own file, to be created
}

// openStore opens what flags name; without a URL uidbench's own file.
func openStore(f *storeurl.Flags) (*store, error) {
	if f.URL == "" {
		return openOwn()
	}
	s, err := f.Open()
	if err != nil {
		return nil, err
	}
	return &store{s.Name, s.Place, s.Differ, s.Table, s.Leases, s.Static, s.Close, ""}, nil
}

// openOwn opens the file that uidbench keeps for itself, which is created when a worker id is
// requested.
func openOwn() (*store, error) {
	path, err := ownPath()
	if err != nil {
		return nil, err
	}
	s, err := openStore(&storeurl.Flags{URL: "sqlite:" + path})
	if err == nil {
		s.folder = filepath.Dir(path)
	}
	return s, err
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
