package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// mysqlMicros is the server's clock in microseconds, whatever the session's time zone.
// UNIX_TIMESTAMP(NOW()) is an hour off in the hour that is repeated in autumn.
const mysqlMicros = `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))`
const mysqlNow = `(` + mysqlMicros + ` DIV 1000)`

// mysqlServer names the server, its start, and its last change of role: one that was the primary,
// then a replica, and is the primary again, may have lost what was acknowledged meanwhile, although
// it was not restarted. MySQL 8 says when read_only was last set, which is part of changing a role,
// and which Group Replication does by itself. MariaDB says how often the server was told to follow
// another. A dump that is loaded makes tables in another second. The PARTITIONS of MariaDB ask the
// system for it each time; its TABLES keep what was true when a statement opened the table, which
// chmod and CHECK TABLE change. No privilege is needed to read all this.
//
// Both UNIX_TIMESTAMP() and Uptime are taken at the start of the statement, in whole seconds,
// so their difference stays the same even if the clock is set back (then Uptime is negative).
// MySQL executes the comments /*!50700 and /*!80000 from those versions on, MariaDB the one
// with an M.
const mysqlServer = `(SELECT CONCAT(CONCAT_WS(':', /*!50700 @@server_uuid, */ @@hostname, @@port, @@server_id), ':',
        MAX(IF(VARIABLE_NAME = 'Uptime', UNIX_TIMESTAMP() - CAST(VARIABLE_VALUE AS SIGNED), NULL)),
        /*!80000 COALESCE((SELECT CONCAT(':', MAX(UNIX_TIMESTAMP(SET_TIME))) FROM performance_schema.variables_info
            WHERE VARIABLE_NAME IN ('read_only', 'super_read_only')), ''), */
        COALESCE((SELECT CONCAT(':', MAX(UNIX_TIMESTAMP(CREATE_TIME))) FROM information_schema.PARTITIONS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'uid_lease'), ''),
        COALESCE((SELECT CONCAT(':', MAX(UNIX_TIMESTAMP(CREATE_TIME))) FROM information_schema.PARTITIONS
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'uid_lease_head'), ''),
        COALESCE(MAX(IF(VARIABLE_NAME = 'Com_change_master', CONCAT(':', VARIABLE_VALUE), NULL)), ''))
    FROM /*!50700 performance_schema.global_status */ /*M!100000 information_schema.GLOBAL_STATUS */
    WHERE VARIABLE_NAME IN ('Uptime', 'Com_change_master'))`

// mysqlSession says where to end what a server gives to all sessions. It takes SYSDATE() for the
// server's clock, which SET timestamp does not stop. With --sysdate-is-now it does: then the time
// is returned, to be asked for again.
const mysqlSession = `SELECT CASE
    WHEN NOT @@autocommit THEN CONCAT('its autocommit is off', IF(@@global.autocommit, '', ': type SET GLOBAL autocommit = ON'))
    WHEN CONCAT('', /*!80000 @@transaction_isolation, */ /*M!100000 @@tx_isolation, */ '') = 'READ-UNCOMMITTED'
    THEN CONCAT('its isolation level is READ-UNCOMMITTED, which shows rows that may never be committed', IF('READ-UNCOMMITTED' =
    CONCAT('', /*!80000 @@global.transaction_isolation, */ /*M!100000 @@global.tx_isolation, */ ''), ': type SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ', ''))
    WHEN TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6)) NOT BETWEEN 0 AND 2000000
    THEN 'its NOW() was set'
    WHEN @@sql_select_limit < 4294967295 THEN CONCAT('its sql_select_limit cuts answers off', IF(@@global.sql_select_limit < 4294967295, ': type SET GLOBAL sql_select_limit = DEFAULT', '')) END,
    IF(NOW(6) = SYSDATE(6), ` + mysqlMicros + `, 0),
    CONCAT('database ', COALESCE(DATABASE(), 'none'), ', sql_log_bin ', @@sql_log_bin),
    CONCAT('role ', COALESCE(CURRENT_ROLE(), 'none'))`

var mysql = dialect{
	faults: mysqlFaults,
	name:   "MySQL",
	nodes:  schema("mysql"),
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, DATE_FORMAT(LAUNCH_DATE, '%Y-%m-%d'),
    CAST(UNIX_TIMESTAMP(CREATED) AS SIGNED)
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	add:    addByLastInsertID,
	keys:   mysqlKeys,
	leases: schema("leases.mysql"),
	server: mysqlServer,
	now:    mysqlNow,
	div:    "DIV",
	most:   "GREATEST",
	head:   `uid_lease_head h ON h.layout IN (?, ?)`,
	// IGNORE would also suppress errors other than duplicates.
	ignore: ` ON DUPLICATE KEY UPDATE uid_lease.worker_id = uid_lease.worker_id`,
	update: `UPDATE uid_lease w JOIN uid_lease_head h ON h.layout = ?`,
	check:  checkMySQL,
	// An operator of TiDB or Vitess may set the version alone to another text.
	version:   `SELECT CONCAT(VERSION(), ' ', @@version_comment)`,
	strangers: regexp.MustCompile(`(?i)TiDB|Vitess|PlanetScale`),

	session: mysqlSession,
	// It counts the session's. DATABASE() has no default to which a session could be compared.
	moved: `SHOW SESSION STATUS LIKE 'Com_change_db'`,
	clock: `SELECT ` + mysqlMicros,
	// It also holds for the next statement, whatever the session's defaults are.
	alone: `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ WRITE`,
	// It is an error, of two rows where one may be, if the server is read-only: a user with a
	// privilege may write all the same, and a former primary would go on granting beside the new one.
	// MariaDB 12 has words for numbers, and CONCAT makes texts of both.
	sound: `IF(CONCAT(@@global.read_only) IN ('0', 'OFF'), TRUE, (SELECT 1 UNION SELECT 2))`,
}

// addByLastInsertID takes the key from the answer to the INSERT. SELECT LAST_INSERT_ID() might
// go to another connection of the pool, which knows nothing of it: baidu/uid-generator issue 46
// gave every process the worker id 0.
func addByLastInsertID(ctx context.Context, c conn, insert string, args ...any) (int64, error) {
	result, err := c.ExecContext(ctx, insert, args...)
	if err != nil {
		return 0, err
	}
	key, err := result.LastInsertId()
	if err != nil {
		return 0, fmt.Errorf("the driver lost the generated key: %w", err)
	}
	return key, nil
}

// createdWith finds the counter in the statement that creates a table.
var createdWith = regexp.MustCompile(`\bAUTO_INCREMENT=(\d+)`)

// mysqlKeys reads the counter from the statement that the server shows, since the
// information_schema of MySQL 8 may be a day old. With the sql_mode NO_TABLE_OPTIONS, which
// MySQL 8 does not have, the statement lacks the counter, but the information_schema is right.
func mysqlKeys(ctx context.Context, c conn) (is keys, err error) {
	is.set = `ALTER TABLE WORKER_NODE AUTO_INCREMENT = %d`
	var highest, next sql.NullInt64
	err = c.QueryRowContext(ctx, `SELECT MAX(ID), (SELECT MAX(AUTO_INCREMENT) FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'WORKER_NODE') FROM WORKER_NODE`).Scan(&highest, &next)
	if err != nil {
		return is, err
	}
	statement, err := mysqlMade(ctx, c, "WORKER_NODE")
	if err != nil {
		return is, err
	}
	if found := createdWith.FindStringSubmatch(statement); found != nil {
		shown, _ := strconv.ParseInt(found[1], 10, 64)
		next.Int64 = max(next.Int64, shown)
	}
	is.last = max(highest.Int64, next.Int64-1)
	is.highest = is.last
	return is, nil
}

// mysqlMade returns the statement that makes a table. Nothing else shows a temporary one, which the
// application left in the session.
func mysqlMade(ctx context.Context, c conn, table string) (statement string, err error) {
	err = c.QueryRowContext(ctx, `SHOW CREATE TABLE `+table).Scan(new(string), &statement)
	if strings.HasPrefix(statement, "CREATE TEMPORARY") {
		err = fmt.Errorf("%w: it has a temporary table %s", errLeft, table)
	}
	return statement, err
}
