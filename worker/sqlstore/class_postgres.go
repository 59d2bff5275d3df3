package sqlstore

import (
	"context"
	"regexp"
	"strconv"
	"strings"
)

// postgresSettings are the settings that decide whether this server, and the one that takes
// over from it, keep what is acknowledged. An ordinary user may read them.
type postgresSettings struct {
	readOnly bool   // or a standby
	unlogged string // one of the tables, or foreign, or written by a subscription, or in capitals
	fsync    string // on, off
	awaited  string // synchronous_standby_names
	standbys int    // connected ones, of any kind
	slots    int    // of standbys, including those that are away
	keepers  string // of Neon: the servers that keep its log, which is not on its disk
	regions  int    // of Aurora: more than one, if the user may not know
}

func checkPostgres(ctx context.Context, c conn, _ bool) (lossy bool, err error) {
	var s postgresSettings
	err = c.QueryRowContext(ctx, `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::BOOLEAN,
    COALESCE((SELECT MIN(oid::REGCLASS::TEXT) FROM pg_class c WHERE (relpersistence <> 'p' OR relkind = 'f' OR relname = 'WORKER_NODE'
            OR EXISTS (SELECT 1 FROM pg_subscription_rel WHERE srrelid = c.oid))
        AND oid IN (to_regclass('uid_lease'), to_regclass('uid_lease_head'), to_regclass('WORKER_NODE'),
            to_regclass('"WORKER_NODE"'))), ''),
    current_setting('fsync'), current_setting('synchronous_standby_names'),
    (SELECT COUNT(*) FROM pg_stat_replication), (SELECT COUNT(*) FROM pg_replication_slots),
    COALESCE((SELECT setting FROM pg_settings WHERE name = 'neon.safekeepers'), ''),
    CASE has_function_privilege(to_regproc('aurora_global_db_status')::OID, 'EXECUTE')
        WHEN TRUE THEN 1 WHEN FALSE THEN 2 ELSE 0 END
WHERE {sound}`).
		Scan(&s.readOnly, &s.unlogged, &s.fsync, &s.awaited, &s.standbys, &s.slots, &s.keepers,
			&s.regions)
	if err == nil && s.regions == 1 {
		err = c.QueryRowContext(ctx, `SELECT COUNT(*) FROM aurora_global_db_status()`).Scan(&s.regions)
	}
	if err != nil {
		return false, err
	}
	return s.lossy(), s.fit()
}

// elsewhere reports whether each commit waits for a majority of servers that keep the log, as on
// Neon, whose disk keeps nothing. pg_settings shows a setting with a dot only if the library that
// it belongs to was loaded when the server started.
func (s postgresSettings) elsewhere() bool { return s.keepers != "" && s.awaited == "walproposer" }

// fit returns an error that wraps worker.ErrStore if a crash of this server alone may lose what
// it acknowledged.
func (s postgresSettings) fit() error {
	switch {
	case s.readOnly:
		return errReadOnly
	case s.fsync != "on" && !s.elsewhere():
		return unfit("fsync is %s: a crash would lose acknowledged writes: set it to on", s.fsync)
	case strings.HasSuffix(s.unlogged, `"WORKER_NODE"`):
		return unfit(`there is a table "WORKER_NODE" in capitals, whose keys would not be seen: type ` +
			`ALTER TABLE "WORKER_NODE" RENAME TO worker_node, and name its columns in lower case, too, and ` +
			`its sequence worker_node_id_seq`)
	case s.unlogged != "":
		return unfit("%[2]s is UNLOGGED, temporary, foreign or in a subscription: a crash may empty it, "+
			"or another server write it: type ALTER TABLE %[2]s SET LOGGED, for WORKER_NODE also ALTER "+
			"SEQUENCE worker_node_id_seq RESTART WITH N, above all keys that it ever gave out; or connect "+
			"to its own server; or drop the subscription", s.unlogged)
	}
	return nil
}

// lossy reports whether a standby that lacks acknowledged writes may be promoted. A standby
// that is awaited only together with others may lack what another has.
func (s postgresSettings) lossy() bool {
	awaited, named := synchronous(s.awaited)
	return s.regions > 1 || !s.elsewhere() && max(named, s.standbys, s.slots) > awaited
}

var standbyNames = regexp.MustCompile(`(?is)^\s*(?:(?:ANY|FIRST)?\s*(\d+)\s*\()?(.*?)\)?\s*$`)

// synchronous reads synchronous_standby_names: how many standbys a commit waits for, and how many
// are named. The star, for any standby, counts as one.
func synchronous(names string) (awaited, named int) {
	parts := standbyNames.FindStringSubmatch(names)
	if parts == nil || strings.TrimSpace(parts[2]) == "" {
		return 0, 0
	}
	awaited = 1
	if parts[1] != "" {
		awaited, _ = strconv.Atoi(parts[1])
	}
	return awaited, 1 + strings.Count(parts[2], ",") // a name with a comma counts as two
}
