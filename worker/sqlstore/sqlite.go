package sqlstore

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"
)

// SQLiteDSN is the name to open the SQLite file at path with, for the driver
// modernc.org/sqlite: a row is on disk before it is acknowledged. The file is
// made when there is none, its folder is not.
func SQLiteDSN(path string) string {
	path = filepath.Clean(path)
	drive := filepath.VolumeName(path) != ""
	if path = filepath.ToSlash(path); drive {
		path = "/" + path // file:/C:/...
	}
	// EXTRA also writes the folder to disk after a commit has removed its journal.
	// The journal is not switched to WAL: while one process does that, others are
	// refused at once, however long they are ready to wait.
	const settings = "_pragma=busy_timeout(100)&_pragma=synchronous(EXTRA)&_txlock=immediate"
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings
}

// patiently repeats f while it finds the file locked by another process, for ten
// seconds or until ctx ends. SQLite could wait by itself (busy_timeout), but
// would not notice there that ctx has ended. Being locked out is a definite
// answer: no row was added.
func (f faults) patiently(ctx context.Context, do func() error) error {
	const patience, pause = 10 * time.Second, 10 * time.Millisecond
	for begin := time.Now(); ; {
		err := do()
		if err == nil || !f.bears(err, f.locked) || time.Since(begin) > patience {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(pause):
		}
	}
}
