package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringuid/ringuid/worker/store"
)

//go:embed schema/leases.mysql.sql
var mysqlLeaseSchema string

// mysqlNow is the server's clock in milliseconds, in whatever time zone the
// session is. UNIX_TIMESTAMP(NOW()) is an hour off in the autumn hour that happens
// twice.
const mysqlNow = `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)`

// mysqlServer names the server, its start, and on MariaDB how often it was told to
// follow another: one that was the primary, then a replica, and is the primary
// again, may have lost what was acknowledged meanwhile, though it was not restarted.
// MySQL does not tell that.
//
// Both UNIX_TIMESTAMP() and Uptime are taken at the start of the statement, in whole
// seconds, so that their difference stays what it is, even when the clock is set
// back (then Uptime is negative). MySQL executes the comment /*!50700, MariaDB the
// one with an M.
const mysqlServer = `(SELECT CONCAT(CONCAT_WS(':', /*!50700 @@server_uuid, */ @@hostname, @@port, @@server_id), ':',
        MAX(IF(VARIABLE_NAME = 'Uptime', UNIX_TIMESTAMP() - CAST(VARIABLE_VALUE AS SIGNED), NULL)),
        COALESCE(MAX(IF(VARIABLE_NAME = 'Com_change_master', CONCAT(':', VARIABLE_VALUE), NULL)), ''))
    FROM /*!50700 performance_schema.global_status */ /*M!100000 information_schema.GLOBAL_STATUS */
    WHERE VARIABLE_NAME IN ('Uptime', 'Com_change_master'))`

func mysqlLeases() leaseDialect {
	return leaseDialect{
		name:   "MySQL",
		schema: mysqlLeaseSchema + "\n" + mysqlSpaceSchema,
		arg:    func(int) string { return "?" },
		view: `SELECT n.fingerprint, n.unit_ms, n.first_worker, n.last_worker, n.window_ticks, n.epoch, n.floor_tick, n.seal,
    ` + mysqlServer + `, ` + mysqlNow + `,
    w.worker_id, w.nonce, w.held, w.high_tick, w.expires_ms, w.renewed_ms, w.owner
FROM uid_ns n LEFT JOIN uid_worker w ON w.ns = n.ns AND w.worker_id BETWEEN ? AND ?
WHERE n.ns = ? ORDER BY w.worker_id`,
		// The nonce changes with every write, so the rows that were changed are the
		// rows that were found.
		write: `UPDATE uid_worker w JOIN uid_ns n ON n.ns = w.ns
SET w.nonce = ?, w.held = ?, w.high_tick = GREATEST(?, IF(?, ?, w.high_tick)),
    w.expires_ms = ` + mysqlNow + ` + ?, w.renewed_ms = ` + mysqlNow + `, w.owner = ?
WHERE w.ns = ? AND w.worker_id = ? AND w.nonce IN (?, ?)
    AND (NOT ? OR NOT w.held OR w.expires_ms <= ` + mysqlNow + `)
    AND n.fingerprint = ? AND n.epoch = ? AND n.epoch = ` + mysqlServer + ` AND n.floor_tick = ?
    AND (? OR ? <= ` + mysqlNow + ` DIV n.unit_ms + n.window_ticks)`,
		raise: `UPDATE uid_ns SET epoch = ` + mysqlServer + `,
    floor_tick = GREATEST(floor_tick, ` + mysqlNow + ` DIV unit_ms + window_ticks + ?)
WHERE ns = ? AND epoch = ? AND floor_tick = ? AND epoch <> ` + mysqlServer,
		quarantine: `UPDATE uid_ns SET floor_tick = GREATEST(floor_tick, ?) WHERE ns = ?`,
		found: `INSERT INTO uid_ns
    (ns, fingerprint, unit_ms, first_worker, last_worker, window_ticks, floor_tick, seal, epoch)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ` + mysqlServer + `)`,
		now:       `SELECT ` + mysqlNow,
		forUpdate: " FOR UPDATE",
		taken:     []string{"1062"},
		undone:    []string{"1213", "1205"}, // deadlock, lock wait timeout
		check:     checkMySQL,
		ready:     readyMySQL,
		watch:     watchNothing,
	}
}

// readyMySQL: MySQL before 5.7 has no performance_schema.global_status, which tells
// one start of a server from another.
func readyMySQL(ctx context.Context, l *Leases) error {
	v, err := versionOf(ctx, l.db)
	if err == nil && !v.mariaDB && v.before(5, 7) {
		err = unfit("this is MySQL %s, and recycled worker ids need 5.7 or later, or MariaDB 10; "+
			"WORKER_NODE (worker.Disposable) works here", v.text)
	}
	return err
}

// checkMySQL reads the settings that decide whether what is acknowledged is kept.
func checkMySQL(ctx context.Context, l *Leases) (store.Class, error) {
	s, err := mysqlSettings(ctx, l.db)
	if err != nil {
		return 0, err
	}
	return mysqlClass(s)
}

// mysqlClass is what the settings are worth, an error that wraps store.ErrStore
// when a crash of this server alone may lose what it acknowledged.
func mysqlClass(s map[string]string) (store.Class, error) {
	binlog := s["log_bin"] == "ON"
	switch flush := s["innodb_flush_log_at_trx_commit"]; {
	case flush != "1" && flush != "3": // 3 is MariaDB's way to flush even more often
		return 0, unfit("innodb_flush_log_at_trx_commit is %s: a crash would lose acknowledged writes: set it to 1", flush)
	case s["autocommit"] != "ON":
		return 0, unfit("autocommit is %s in this session: nothing would be committed", s["autocommit"])
	case s["isolation"] == "READ-UNCOMMITTED":
		return 0, unfit("the isolation level is READ-UNCOMMITTED: it shows rows that may never be committed: set another")
	case s["read_only"] != "OFF" || s["innodb_read_only"] == "ON":
		return 0, unfit("the server is read-only: connect to the primary")
	case binlog && s["sync_binlog"] != "1":
		return 0, unfit("sync_binlog is %s: a crash would undo what is not in the binary log: set it to 1", s["sync_binlog"])
	case binlog && s["binlog_format"] == "STATEMENT":
		return 0, unfit("binlog_format is STATEMENT: a replica would evaluate conditions by its own clock: set ROW")
	case s["wsrep_on"] == "ON":
		return store.FencedLossy, nil // Galera acknowledges before the others have it on disk
	case !binlog:
		return store.Fenced, nil // there is no replica to fail over to
	case semiSync(s):
		return store.Fenced, nil
	}
	return store.FencedLossy, nil
}

// semiSync: a replica has each transaction before it is acknowledged, and no
// replica means no acknowledgement. The names differ by server and version.
func semiSync(s map[string]string) bool {
	for _, side := range []string{"rpl_semi_sync_master_", "rpl_semi_sync_source_"} {
		const endless = 10_000_000_000 // milliseconds, four months
		timeout, _ := strconv.ParseUint(s[side+"timeout"], 10, 64)
		if s[side+"enabled"] == "ON" && s[side+"status"] == "ON" && s[side+"wait_point"] == "AFTER_SYNC" && timeout >= endless {
			return true
		}
	}
	return false
}

// mysqlSettings are variables of session and server by name, those that this
// server has.
func mysqlSettings(ctx context.Context, db *sql.DB) (map[string]string, error) {
	settings := map[string]string{}
	for _, query := range []string{
		`SHOW VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'autocommit', 'read_only',
    'innodb_read_only', 'log_bin', 'sync_binlog', 'binlog_format', 'wsrep_on', 'tx_isolation', 'transaction_isolation')
    OR Variable_name LIKE 'rpl_semi_sync_%'`,
		`SHOW STATUS LIKE 'Rpl_semi_sync_%_status'`,
	} {
		if err := pairs(ctx, db, query, settings); err != nil {
			return nil, err
		}
	}
	// MySQL from 8 has the second name alone, MariaDB before 11.1 the first, later both.
	settings["isolation"] = cmp.Or(settings["transaction_isolation"], settings["tx_isolation"])
	return settings, nil
}

// pairs adds the rows of two columns that query returns.
func pairs(ctx context.Context, db *sql.DB, query string, to map[string]string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		to[strings.ToLower(name)] = value
	}
	return rows.Err()
}

// unfit is an error that wraps store.ErrStore.
func unfit(why string, args ...any) error {
	return fmt.Errorf("%w: %s", store.ErrStore, fmt.Sprintf(why, args...))
}
