package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
)

// postgresServer names a server by the microsecond of its start, and tables and their database by
// their numbers, which copies do not have. A primary becomes a standby only by a restart, so each
// of its terms as the primary has its own name. The timeline, which counts promotions, is not used:
// what shows it at once is an error on Amazon Aurora.
const postgresServer = `CONCAT_WS(':', to_char(pg_postmaster_start_time() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    to_regclass('uid_lease')::OID, to_regclass('uid_lease_head')::OID)`

// postgresMicros is a time in microseconds.
const postgresMicros = `(EXTRACT(EPOCH FROM %s) * 1000000)::BIGINT`

// postgresPlace names the schemas where the session finds the tables, or would create them.
const postgresPlace = `CONCAT('schema ', COALESCE((SELECT relnamespace::REGNAMESPACE::TEXT FROM pg_class
        WHERE oid = COALESCE(to_regclass('uid_lease'), to_regclass('worker_node'))), current_schema),
    ', of WORKER_NODE ', COALESCE((SELECT relnamespace::REGNAMESPACE::TEXT FROM pg_class
        WHERE oid = COALESCE(to_regclass('worker_node'), to_regclass('uid_lease'))), current_schema))`

// noBalance has Pgpool-II ask the primary.
const noBalance = `/*NO LOAD BALANCE*/ `

// postgresSession returns the time of a primary alone: a pooler may have sent it to a standby. If
// the clock was set back in an open transaction, it is the time when that began. A session must
// have the search_path with which it began, and no schema of a user that was set since: all that a
// pool, or a pooler, has may have been left, so none is compared with the first one that is used.
var postgresSession = noBalance + `SELECT CASE
    WHEN current_setting('search_path') <> (SELECT reset_val FROM pg_settings WHERE name = 'search_path')
    THEN 'its search_path was set: set it in the DSN or, behind a pooler, type ALTER ROLE NAME SET search_path = SCHEMA, and restart the pooler'
    WHEN current_user = ANY (current_schemas(FALSE)) AND current_setting('search_path') LIKE '%$user%'
        AND current_user <> (SELECT pg_get_userbyid(usesysid) FROM pg_stat_get_activity(pg_backend_pid()))
    THEN 'its user was set, whose schema it has: set search_path in the DSN or, behind a pooler, type ALTER ROLE NAME SET search_path = SCHEMA, and restart the pooler'
    WHEN EXISTS (SELECT 1 FROM pg_class WHERE relpersistence = 't'
        AND oid IN (to_regclass('uid_lease'), to_regclass('uid_lease_head'), to_regclass('WORKER_NODE')))
    THEN 'it has a temporary table before one of these' END,
    CASE WHEN pg_is_in_recovery() THEN 0 ELSE ` +
	fmt.Sprintf(postgresMicros, "GREATEST(clock_timestamp(), transaction_timestamp())") +
	` END, ` + postgresPlace + `,
    CONCAT('user ', current_user, ', read-only ', current_setting('transaction_read_only'))`

// postgresSound relies on a statement's own transaction to begin after the session was examined.
// statement_timestamp() is no help: it is later than transaction_timestamp() even in a transaction
// of its own, if the statement arrives in several messages. It makes the transaction wait at its
// end for the disk and for synchronous standbys, whatever the session says: behind a pooler,
// another client may have set synchronous_commit off. What was committed before is then as durable.
var postgresSound = `CAST(CASE WHEN NOT pg_is_in_recovery() AND ` +
	fmt.Sprintf(postgresMicros, "transaction_timestamp()") + ` <= ?::BIGINT THEN 'it is in a transaction'
    WHEN ` + postgresPlace + ` IS DISTINCT FROM ?::TEXT THEN 'its search_path was set'
    ELSE set_config('synchronous_commit', 'on', TRUE) END AS BOOLEAN)`

var postgres = dialect{
	faults:   postgresFaults,
	name:     "PostgreSQL",
	numbered: true,
	nodes:    schema("postgres"),
	insert: `INSERT INTO WORKER_NODE (HOST_NAME, PORT, TYPE, LAUNCH_DATE, MODIFIED, CREATED)
SELECT ?, ?, ?::INT, ?::DATE, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
WHERE {sound} RETURNING ID`,
	list: `SELECT ID, HOST_NAME, PORT, TYPE, TO_CHAR(LAUNCH_DATE, 'YYYY-MM-DD'),
    FLOOR(EXTRACT(EPOCH FROM CREATED))::BIGINT
FROM WORKER_NODE ORDER BY ID DESC LIMIT ?`,
	add:    addReturning,
	keys:   postgresKeys,
	leases: schema("leases.postgres"),
	grant: `SELECT 'GRANT SELECT, INSERT, UPDATE, DELETE ON uid_lease, uid_lease_head TO '
    || quote_ident(current_user) || ';'`,
	server: postgresServer,
	now:    `FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT`,
	div:    "/",
	most:   "GREATEST",
	// A commit whose wait for a synchronous standby is broken off, for example because its client
	// gave up, is seen by all although the standby may not have it. A view would tell its writer
	// that it was applied. So a view waits too: it locks, which is a write of its own, after all
	// that it shows.
	head: `(SELECT * FROM uid_lease_head WHERE layout = ?
    AND CASE WHEN current_setting('synchronous_standby_names') = '' THEN TRUE
        ELSE (SELECT TRUE FROM uid_lease_head WHERE layout = ? FOR KEY SHARE) END) h ON TRUE`,
	ignore: ` ON CONFLICT DO NOTHING`,
	// A statement that waits for a row looks at that row again, but at no other: the head would be
	// the one from before the wait. FOR SHARE keeps the head as it is until the commit.
	update: `WITH h AS (SELECT * FROM uid_lease_head WHERE layout = ? FOR SHARE) UPDATE uid_lease w`,
	from:   `FROM h`,
	check:  checkPostgres,

	version:   `SELECT version()`,
	strangers: regexp.MustCompile(`CockroachDB|-YB-`),

	session: postgresSession,
	// Only who has the rights of the user who logged in may.
	end:   []string{`RESET SESSION AUTHORIZATION`, `SELECT pg_terminate_backend(pg_backend_pid())`},
	sound: postgresSound,
}

// postgresKeys reads the sequence, for which the right to insert is not enough, and which the
// column need not own.
func postgresKeys(ctx context.Context, c conn) (keys, error) {
	var highest, last int64
	var sequence string
	err := c.QueryRowContext(ctx, `SELECT COALESCE(MAX(ID), 0), COALESCE((SELECT CASE attidentity
    WHEN '' THEN substring(pg_get_expr(adbin, attrelid) FROM '^nextval\(''(.*)''::regclass\)$') ELSE pg_get_serial_sequence('worker_node', 'id') END
    FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum) WHERE attrelid = to_regclass('worker_node') AND attname = 'id'), '')
FROM WORKER_NODE HAVING {sound}`).Scan(&highest, &sequence)
	if err == nil && sequence == "" {
		err = unfit("the column ID of WORKER_NODE is no identity, and its default no sequence, so its " +
			"keys are not known: type ALTER TABLE worker_node ALTER id SET DEFAULT nextval('SEQUENCE')")
	}
	if err == nil {
		err = c.QueryRowContext(ctx, `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM `+
			sequence).Scan(&last)
	}
	name := cmp.Or(strings.ReplaceAll(sequence, "%", "%%"), "SEQUENCE")
	return keys{max(highest, last), last, "ALTER SEQUENCE " + name + " RESTART WITH %d"}, err
}
