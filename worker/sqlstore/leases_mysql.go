package sqlstore

import (
	"context"
	_ "embed"
)

//go:embed schema/leases.mysql.sql
var mysqlLeaseSchema string

// mysqlNow is the server's clock in milliseconds, in whatever time zone the
// session is. UNIX_TIMESTAMP(NOW()) is an hour off in the autumn hour that happens
// twice.
const mysqlNow = `(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) DIV 1000)`

// mysqlServer names the server, its start, and its last change of role: one that was the
// primary, then a replica, and is the primary again, may have lost what was acknowledged
// meanwhile, though it was not restarted. MySQL 8 tells when read_only was last set, as
// whoever changes a role does, Group Replication by itself; MariaDB, how often the server
// was told to follow another. Nobody needs a right to read them.
//
// Both UNIX_TIMESTAMP() and Uptime are taken at the start of the statement, in whole
// seconds, so that their difference stays what it is, even when the clock is set
// back (then Uptime is negative). MySQL executes the comments /*!50700 and /*!80000 from
// those versions on, MariaDB the one with an M.
const mysqlServer = `(SELECT CONCAT(CONCAT_WS(':', /*!50700 @@server_uuid, */ @@hostname, @@port, @@server_id), ':',
        MAX(IF(VARIABLE_NAME = 'Uptime', UNIX_TIMESTAMP() - CAST(VARIABLE_VALUE AS SIGNED), NULL)),
        /*!80000 COALESCE((SELECT CONCAT(':', MAX(UNIX_TIMESTAMP(SET_TIME))) FROM performance_schema.variables_info
            WHERE VARIABLE_NAME IN ('read_only', 'super_read_only')), ''), */
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
    AND w.worker_id BETWEEN n.first_worker AND n.last_worker
WHERE n.ns = ? ORDER BY w.worker_id`,
		// The nonce changes with every write, so the rows that were changed are the
		// rows that were found.
		write: `UPDATE uid_worker w JOIN uid_ns n ON n.ns = w.ns
SET w.nonce = ?, w.held = ?, w.high_tick = GREATEST(?, IF(?, ?, w.high_tick)),
    w.expires_ms = ` + mysqlNow + ` + ?, w.renewed_ms = ` + mysqlNow + `, w.owner = ?
WHERE w.ns = ? AND w.worker_id = ? AND w.nonce IN (?, ?)
    AND w.worker_id BETWEEN n.first_worker AND n.last_worker
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
		// deadlock, lock wait timeout, MariaDB's innodb_snapshot_isolation
		undone: []string{"1213", "1205", "1020"},
		check:  checkMySQL,
		ready:  readyMySQL,
		watch:  watchNothing,
	}
}

// readyMySQL: MySQL before 5.7 has no performance_schema.global_status, which tells
// one start of a server from another.
func readyMySQL(ctx context.Context, l *Leases) error {
	var v mysqlVersion
	err := l.reading(ctx, func(ctx context.Context, h handle) (err error) {
		v, err = versionOf(ctx, h)
		return err
	})
	if err == nil && !v.mariaDB && v.before(5, 7) {
		err = unfit("this is MySQL %s, and recycled worker ids need 5.7 or later, or MariaDB 10; "+
			"WORKER_NODE (worker.Disposable) works here", v.text)
	}
	return err
}
