package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/ringuid/ringuid/internal/flock"
	"github.com/ringuid/ringuid/worker"
)

// file is a SQLite file, as it was when it was first opened.
type file struct {
	mu   sync.Mutex
	path string
	info fs.FileInfo
}

// incarnation returns a literal, or an error if the path names another file than at first: a
// process that opens it now gets worker ids there that this process has too.
func (f *file) incarnation(ctx context.Context, c *sql.Conn) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		if err := c.QueryRowContext(ctx,
			`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&f.path); err != nil {
			return "", err
		}
		if f.path == "" {
			return "", unfit("the database is in memory, or has no name, " +
				"so that each connection has its own: use a file")
		}
	}
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: the file that was opened is gone: %w", worker.ErrStore, err)
	case f.info == nil:
		f.info = info
	case !os.SameFile(f.info, info):
		return "", unfit("%s was replaced since it was opened: restart", f.path)
	}
	return "'" + identity(f.path, info) + "'", nil
}

// parted returns an error if somebody removed the index of the WAL that this process has in its
// memory, as far as the system says. SQLite does so itself when the last connection is closed, so a
// connection must be open.
func (f *file) parted() error {
	mapped, _ := os.ReadFile("/proc/self/maps") // elsewhere there is none
	if strings.Contains(string(mapped), " "+f.path+"-shm (deleted)\n") {
		return unfit("%s-shm was removed while it was in use, so others do not see what this "+
			"process writes, nor its locks: restart", f.path)
	}
	return nil
}

// alone locks the folder of a file until it is closed. SQLite's own locks go when anything in the
// process closes the file, such as a backup, or another SQLite; then others write beside it, or
// undo what it writes. This lock stays. Where there is none, SQLite's have to do.
func alone(path string) (folder *os.File, err error) {
	folder, err = os.Open(filepath.Dir(path))
	if err != nil {
		return nil, nil
	}
	if free, err := flock.Lock(folder); !free && err == nil {
		return nil, errors.Join(errors.New("its folder is locked"), folder.Close())
	}
	return folder, nil
}

// identity distinguishes a file from one that took its place, for example a backup of it. The
// file system may give the number of a removed file to the next one, so the time when the file
// was created is part of it, if the system reports that.
func identity(path string, info fs.FileInfo) string {
	id := "file"
	if sys := reflect.Indirect(reflect.ValueOf(info.Sys())); sys.Kind() == reflect.Struct {
		for _, name := range []string{"Ino", "Birthtimespec", "Birthtim", "CreationTime"} {
			if field := sys.FieldByName(name); field.IsValid() {
				id += fmt.Sprintf(":%v", field.Interface())
			}
		}
	}
	at, _ := born(path)
	return id + at
}
