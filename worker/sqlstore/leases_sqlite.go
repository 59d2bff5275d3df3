package sqlstore

import (
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/ringuid/ringuid/worker/store"
)

//go:embed schema/leases.sqlite.sql
var sqliteLeaseSchema string

// sqliteNow is this machine's clock in milliseconds.
const sqliteNow = `CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)`

// sqliteServer names the file: what it acknowledged it keeps, whoever opens it.
const sqliteServer = `(SELECT id FROM uid_file)`

func sqliteLeases() leaseDialect {
	return leaseDialect{
		name:   "SQLite",
		schema: sqliteLeaseSchema + "\n" + sqliteSpaceSchema,
		arg:    func(int) string { return "?" },
		view: `SELECT n.fingerprint, n.unit_ms, n.first_worker, n.last_worker, n.window_ticks, n.epoch, n.floor_tick, n.seal,
    ` + sqliteServer + `, ` + sqliteNow + `,
    w.worker_id, w.nonce, w.held, w.high_tick, w.expires_ms, w.renewed_ms, w.owner
FROM uid_ns n LEFT JOIN uid_worker w ON w.ns = n.ns AND w.worker_id BETWEEN ? AND ?
    AND w.worker_id BETWEEN n.first_worker AND n.last_worker
WHERE n.ns = ? ORDER BY w.worker_id`,
		write: `UPDATE uid_worker
SET nonce = ?, held = ?, high_tick = MAX(?, IIF(?, ?, high_tick)),
    expires_ms = ` + sqliteNow + ` + ?, renewed_ms = ` + sqliteNow + `, owner = ?
WHERE ns = ? AND worker_id = ? AND nonce IN (?, ?)
    AND (NOT ? OR NOT held OR expires_ms <= ` + sqliteNow + `)
    AND EXISTS (SELECT 1 FROM uid_ns n WHERE n.ns = uid_worker.ns
        AND uid_worker.worker_id BETWEEN n.first_worker AND n.last_worker
        AND n.fingerprint = ? AND n.epoch = ? AND n.epoch = ` + sqliteServer + ` AND n.floor_tick = ?
        AND (? OR ? <= ` + sqliteNow + ` / n.unit_ms + n.window_ticks))`,
		raise: `UPDATE uid_ns SET epoch = ` + sqliteServer + `,
    floor_tick = MAX(floor_tick, ` + sqliteNow + ` / unit_ms + window_ticks + ?)
WHERE ns = ? AND epoch = ? AND floor_tick = ? AND epoch <> ` + sqliteServer,
		quarantine: `UPDATE uid_ns SET floor_tick = MAX(floor_tick, ?) WHERE ns = ?`,
		found: `INSERT INTO uid_ns
    (ns, fingerprint, unit_ms, first_worker, last_worker, window_ticks, floor_tick, seal, epoch)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ` + sqliteServer + `)`,
		now:       `SELECT ` + sqliteNow,
		forUpdate: "",
		taken:     []string{"UNIQUE constraint failed"},
		check:     checkSQLite,
		ready:     readyAlways,
		watch:     watchFile,
		count:     `SELECT f.writes, n.floor_tick, n.unit_ms FROM uid_file f, uid_ns n WHERE n.ns = ?`,
	}
}

// checkSQLite reads the settings that decide whether what is acknowledged is kept.
func checkSQLite(ctx context.Context, l *Leases) (store.Class, error) {
	var synchronous int
	var journal string
	err := l.reading(ctx, func(ctx context.Context, h handle) error {
		if err := h.QueryRowContext(ctx, `PRAGMA synchronous`).Scan(&synchronous); err != nil {
			return err
		}
		if err := h.QueryRowContext(ctx, `PRAGMA journal_mode`).Scan(&journal); err != nil {
			return err
		}
		return watchFile(ctx, h, l)
	})
	if err != nil {
		return 0, err
	}
	const full = 2 // and EXTRA is 3
	switch {
	case synchronous < full:
		return 0, unfit("PRAGMA synchronous is %d: a crash would lose acknowledged writes: open the "+
			"file with SQLiteDSN", synchronous)
	case journal == "off" || journal == "memory":
		return 0, unfit("PRAGMA journal_mode is %s: a crash would corrupt the file: open it with "+
			"SQLiteDSN", journal)
	}
	return store.Fenced, nil
}

// file remembers which file was opened.
type file struct {
	mu   sync.Mutex
	path string
	info fs.FileInfo
}

// watchFile returns an error when the path names another file than at first: who
// opens it now gets worker ids there that this process has too.
func watchFile(ctx context.Context, h handle, l *Leases) error {
	f := &l.file
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		if err := h.QueryRowContext(ctx,
			`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&f.path); err != nil {
			return err
		}
		if f.path == "" {
			return unfit("the database is in memory, or has no name, " +
				"so that each connection has its own: use a file")
		}
	}
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return fmt.Errorf("%w: the file that was opened is gone: %w", store.ErrStore, err)
	case f.info == nil:
		f.info = info
	case !os.SameFile(f.info, info):
		return unfit("%s was replaced since it was opened: restart, and quarantine the namespace if "+
			"the new file is a backup", f.path)
	}
	return nil
}
