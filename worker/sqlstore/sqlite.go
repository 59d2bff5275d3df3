package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/ringuid/ringuid/internal/flock"
)

// SQLiteDSN is the data source name for the SQLite file at path, for the drivers modernc.org/sqlite
// and mattn/go-sqlite3, with settings that put a row on disk before it is acknowledged.
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
	// SQLite itself does not wait for long, since access.go does.
	const settings = "_pragma=busy_timeout(10)&_pragma=synchronous(EXTRA)&_txlock=immediate"
	const mattn = "&_busy_timeout=10&_synchronous=EXTRA" // its own default is NORMAL
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + settings + mattn
}

// sqliteHidden returns an error that wraps errLeft if this session alone has a table of the name of
// one, which it hides, or a trigger.
func sqliteHidden(ctx context.Context, c conn) error {
	var name sql.NullString
	err := c.QueryRowContext(ctx, `SELECT MIN(name) FROM sqlite_temp_master
WHERE LOWER(tbl_name) IN ('uid_lease', 'uid_lease_head', 'worker_node')`).Scan(&name)
	if name.Valid {
		return fmt.Errorf("%w: it has a temporary table or trigger %s", errLeft, name.String)
	}
	return err
}

// sqlite adds nothing to a table without AUTOINCREMENT. Such a table works, but gives the id of
// a deleted newest row again.
var sqlite = dialect{
	faults: sqliteFaults,
	name:   "SQLite",
	nodes:  schema("sqlite"),
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT ?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
WHERE EXISTS (SELECT 1 FROM sqlite_master
    WHERE name = 'WORKER_NODE' COLLATE NOCASE AND sql LIKE '%AUTOINCREMENT%')
RETURNING ID`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, DATE(LAUNCH_DATE),
    CAST(STRFTIME('%s', CREATED) AS INTEGER)
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	add:    addReturning,
	keys:   sqliteKeys,
	leases: schema("leases.sqlite"),
	now:    `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`,
	div:    "/",
	most:   "MAX",
	head:   `uid_lease_head h ON h.layout IN (?, ?)`,
	ignore: ` ON CONFLICT DO NOTHING`,
	update: `WITH h AS (SELECT * FROM uid_lease_head WHERE layout = ?) UPDATE uid_lease AS w`,
	from:   `FROM h`,
	clocks: time.Second, // one machine, one clock
	check:  checkSQLite,

	session: `SELECT NULL, 0, '', 'synchronous ' || synchronous || ', journal_mode ' || journal_mode
FROM pragma_synchronous, pragma_journal_mode`,
	sound: `TRUE`, // BEGIN fails in a transaction
}

// sqliteKeys also reads the table that SQLite creates with the first AUTOINCREMENT.
func sqliteKeys(ctx context.Context, c conn) (keys, error) {
	var highest, last int64
	err := c.QueryRowContext(ctx, `SELECT COALESCE(MAX(ID), 0) FROM WORKER_NODE`).Scan(&highest)
	if err == nil {
		err = c.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence
WHERE name = 'WORKER_NODE' COLLATE NOCASE`).Scan(&last)
	}
	last = max(highest, last)
	return keys{last, last, `UPDATE sqlite_sequence SET seq = %d - 1 WHERE name = 'WORKER_NODE'`}, err
}

func checkSQLite(ctx context.Context, c conn, _ bool) (lossy bool, err error) {
	var synchronous int
	var journal, path string
	err = c.QueryRowContext(ctx, `SELECT synchronous, journal_mode, file FROM pragma_synchronous,
    pragma_journal_mode, pragma_database_list WHERE name = 'main'`).Scan(&synchronous, &journal, &path)
	const full = 2 // and EXTRA is 3
	_, twice := born(path)
	switch {
	case err != nil:
	case flock.Foreign(path) != "":
		err = unfit("%s is on %s, where another machine or sandbox may not see its locks: put it on a "+
			"local disk, or take another store", path, flock.Foreign(path))
	case twice:
		err = unfit("%s is mounted itself, or has another hard link: its journal is beside each of its "+
			"names, and a WAL is another file there: mount its folder, and use one name", path)
	case synchronous < full:
		err = unfit("PRAGMA synchronous is %d: a crash would lose acknowledged writes: open the "+
			"file with SQLiteDSN%.0w", synchronous, errLeft)
	case journal == "off" || journal == "memory":
		err = unfit("PRAGMA journal_mode is %s: a crash would corrupt the file: open it with "+
			"SQLiteDSN%.0w", journal, errLeft)
	}
	return false, err
}
