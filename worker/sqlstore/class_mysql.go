package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"
	"strings"
)

func checkMySQL(ctx context.Context, c conn, leases bool) (lossy bool, err error) {
	s, err := mysqlSettings(ctx, c)
	if err != nil {
		return false, err
	}
	return mysqlLossy(s), mysqlFit(s, leases)
}

// mysqlLossy reports whether a server that lacks acknowledged writes may take over. Galera
// acknowledges before the others have it on disk, and Aurora before other regions have it at all.
// A replica's primary never has it: MariaDB counts the primaries that a server follows.
func mysqlLossy(s map[string]string) bool {
	regions, _ := strconv.Atoi(s["aurora_regions"])
	return regions > 1 || s["wsrep_on"] == "ON" || s["slaves_running"] > "0" ||
		s["log_bin"] == "ON" && !semiSync(s) && !primaryOfGroup(s)
}

// mysqlFit returns an error that wraps worker.ErrStore if a crash of this server alone may lose
// what it acknowledged, or if the session is unfit for writing. A replica that executes
// statements gives rows of WORKER_NODE the same keys, but compares leases with its own clock.
func mysqlFit(s map[string]string, leases bool) error {
	binlog := s["log_bin"] == "ON"
	switch flush := s["innodb_flush_log_at_trx_commit"]; {
	case strings.Contains(s["sql_mode"], "EMPTY_STRING_IS_NULL"):
		return unfit("sql_mode has EMPTY_STRING_IS_NULL: texts would be lost: leave it out, here or in " +
			"the DSN")
	case s["recent"] == "":
		return unfit("this is MySQL %s, which forgets the key counter of WORKER_NODE at a restart: "+
			"MySQL 8.0 or later is needed, or MariaDB 10.3 or later", s["version"])
	case flush != "1" && flush != "3": // 3 is MariaDB's way to flush even more often
		return unfit("innodb_flush_log_at_trx_commit is %s: a crash would lose acknowledged writes: "+
			"set it to 1", flush)
	case s["engine"] != "":
		return unfit("a restart or a crash may empty %[2]s: type ALTER TABLE %[2]s ENGINE = InnoDB, for "+
			"WORKER_NODE with AUTO_INCREMENT = N, above all keys that it ever gave out", s["engine"])
	case s["other_case"] != "":
		return unfit("there is a table %[2]s, whose keys would not be seen: type RENAME TABLE %[2]s TO "+
			"WORKER_NODE, for all programs, after DROP TABLE of the one that none uses, if there are two",
			s["other_case"])
	case s["read_only"] != "OFF" || s["innodb_read_only"] == "ON":
		return errReadOnly
	case s["wsrep_on"] == "OFF" && s["wsrep_provider_name"] != "": // it was loaded
		return unfit("wsrep_on is OFF: no other node would hear of what is written: set it ON")
	case binlog && s["sync_binlog"] != "1":
		return unfit("sync_binlog is %s: a crash would undo what is not in the binary log: set it to 1",
			s["sync_binlog"])
	case binlog && s["sql_log_bin"] == "OFF":
		return unfit("sql_log_bin is OFF in this session: no replica would hear of what it writes: "+
			"leave it ON%.0w", errLeft)
	case binlog && leases && s["binlog_format"] == "STATEMENT":
		return unfit("binlog_format is STATEMENT: a replica would evaluate conditions by its own " +
			"clock: set ROW")
	}
	return nil
}

// semiSync reports whether every replica has each transaction before it is acknowledged, and
// nothing is acknowledged without a replica. The names differ by server and version, and
// MariaDB waits for one replica.
func semiSync(s map[string]string) bool {
	for _, names := range []struct{ side, none, awaited string }{
		{"rpl_semi_sync_master_", "wait_no_slave", "wait_for_slave_count"},
		{"rpl_semi_sync_source_", "wait_no_replica", "wait_for_replica_count"},
	} {
		const endless = 10_000_000_000 // milliseconds, four months
		is := func(name string) string { return s[names.side+name] }
		timeout, _ := strconv.ParseUint(is("timeout"), 10, 64)
		awaited, _ := strconv.Atoi(cmp.Or(is(names.awaited), "1"))
		replicas, err := strconv.Atoi(is("clients"))
		if is("enabled") == "ON" && is("status") == "ON" && is("wait_point") == "AFTER_SYNC" &&
			timeout >= endless &&
			is(names.none) == "ON" && err == nil && replicas <= awaited {
			return true
		}
	}
	return false
}

// primaryOfGroup reports whether the group made this server its only primary, and acknowledges
// what a majority has received. No privilege is needed to see which user set read_only, which
// the group sets again when the server leaves it. A server that does not join at its start
// would take writes then, although another is the primary.
func primaryOfGroup(s map[string]string) bool {
	return s["group_replication_single_primary_mode"] == "ON" &&
		s["group_replication_start_on_boot"] == "ON" &&
		s["writable_by"] == "mysql.session"
}

// mysqlSettings returns variables of the session and the server by name, as far as the server
// has them. The other queries use comments that a server executes from some version on: before
// MariaDB 10.3 nothing distinguishes one start of the server from another.
func mysqlSettings(ctx context.Context, c conn) (map[string]string, error) {
	settings := map[string]string{}
	read := func(query string) error {
		return each(ctx, c, query, nil, func(is answers) error {
			var name string
			var value sql.NullString
			err := is.Scan(&name, &value)
			settings[strings.ToLower(name)] = value.String
			return err
		})
	}
	for _, query := range []string{
		`SHOW VARIABLES WHERE Variable_name IN ('innodb_flush_log_at_trx_commit', 'read_only', 'version',
    'innodb_read_only', 'log_bin', 'sync_binlog', 'binlog_format', 'wsrep_on', 'sql_log_bin', 'sql_mode',
    'group_replication_single_primary_mode', 'group_replication_start_on_boot', 'aurora_version')
    OR Variable_name LIKE 'rpl_semi_sync_%'`,
		`SHOW STATUS WHERE Variable_name RLIKE '^Rpl_semi_sync_.*_(status|clients)$|^(wsrep_provider_name|Slaves_running)$'`,
		`SELECT 'writable_by', CONCAT('' /*!80000 , COALESCE((SELECT SET_USER FROM performance_schema.variables_info
    WHERE VARIABLE_NAME = 'read_only'), '') */)`,
		`SELECT 'recent', CONCAT('' /*!80000 , 'MySQL' */ /*M!100300 , 'MariaDB' */)
UNION ALL SELECT 'engine', MIN(TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
    AND TABLE_NAME IN ('uid_lease', 'uid_lease_head', 'WORKER_NODE') AND ENGINE <> 'InnoDB'
UNION ALL SELECT 'other_case', MIN(TABLE_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
    AND UPPER(TABLE_NAME) = 'WORKER_NODE' AND UPPER(COLUMN_NAME) = 'LAUNCH_DATE'
    AND @@lower_case_table_names = 0 AND BINARY TABLE_NAME <> 'WORKER_NODE' AND BINARY TABLE_NAME NOT IN (SELECT BINARY TABLE_NAME
        FROM information_schema.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND UPPER(TABLE_NAME) = 'WORKER_NODE')`,
	} {
		if err := read(query); err != nil {
			return nil, err
		}
	}
	if settings["aurora_version"] != "" {
		err := read(`SELECT 'aurora_regions', COUNT(*) FROM information_schema.aurora_global_db_status`)
		switch {
		case err != nil && mysqlNumber(err) != "": // the user may not know
			settings["aurora_regions"] = "2"
		case err != nil:
			return nil, err
		}
	}
	return settings, nil
}
