package sqlstore

import (
	"net/url"
	"path/filepath"
)

// SQLiteDSN is the data source name for the SQLite file at path, for the driver
// modernc.org/sqlite, with settings that put a row on disk before it is acknowledged.
// SQLite creates the file if there is none, but not its folder.
func SQLiteDSN(path string) string {
	path = filepath.Clean(path)
	drive := filepath.VolumeName(path) != ""
	if path = filepath.ToSlash(path); drive {
		path = "/" + path // file:/C:/...
	}
	// EXTRA also writes the folder to disk after a commit has removed its journal.
	// The journal is not switched to WAL: while one process does that, others are
	// refused at once, however long they are ready to wait.
	//
	// SQLite itself does not wait for long, since access does: it would ask less and less
	// often, and those who ask most often get the lock.
	const settings = "_pragma=busy_timeout(10)&_pragma=synchronous(EXTRA)&_txlock=immediate"
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings
}
