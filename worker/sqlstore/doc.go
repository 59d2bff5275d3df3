// Package sqlstore keeps worker ids in tables of MySQL or MariaDB, PostgreSQL, or SQLite.
//
//	store, err := sqlstore.Open("mysql", "uid:secret@tcp(db:3306)/uid")
//	...
//	assigner := worker.Leased(store, worker.Claim{}) // recycled ids
//	assigner := worker.Disposable(store)             // a new id per start
//
// Open has two connections of its own. MySQL, Postgres and SQLite take a *sql.DB, which the caller
// closes. The package imports no driver. Disposable needs the store only while it registers, Leased
// for the life of the lease.
//
// The application may use the same *sql.DB. But when it keeps all connections of the pool for a
// minute, no lease is renewed, and ids end although the database is well. Each call takes a
// connection for itself and looks at its session first. It closes one that was left in a
// transaction, with autocommit off, READ UNCOMMITTED, a sql_select_limit, a temporary table before
// one of these, or with another schema, clock, user or role, and uses another. The log names the
// first, and Store.Discarded counts them. If no connection is better, nothing is written, and the
// error wraps worker.ErrStore. So name the database and the schema in the data source name, or by
// ALTER ROLE, not by USE or SET on each new connection.
//
// # Disposable
//
// WORKER_NODE is the table of Baidu's UidGenerator: on MySQL column for column, so that
// Java and Go processes share one counter and never get the same worker id. CreateTable
// creates it. The database user needs INSERT and SELECT on it, and SELECT on uid_lease; on MySQL,
// if that does not exist, also CREATE on it, without which it cannot be seen that it is missing.
//
// Register adds its row in one statement, takes the key from the answer to that statement,
// and returns it only after the commit. Neither it nor database/sql sends it a second time.
//
// Never delete rows, and never set the counter back. After restoring a backup, raise it
// above every id that was given out since then.
//
// # Leased
//
// uid_lease has a row for each worker id, and uid_lease_head one for each layout. The first
// start creates both tables, if the user may; otherwise its error contains the statements,
// which Schema returns too. The user needs SELECT, INSERT, UPDATE and DELETE on both, and SELECT on
// WORKER_NODE, on MySQL with CREATE as above, in PostgreSQL with its sequence. Two services with
// the same layout share the worker ids. Other layouts are refused, unless Claim.AllowOtherLayouts
// says that the ids never meet.
//
// Each write is one statement, committed by itself, which evaluates every condition with the
// server's clock, in UTC whatever the session's time zone, and with the server's incarnation: its
// start, which tables these are, since a dump makes others, on MySQL and MariaDB also its identity,
// and when read_only was last set (MySQL) or how often CHANGE MASTER was run (MariaDB). A server
// that restarted, or replaced another, grants nothing until the floor is raised: new grants begin a
// minute and the pool's slack after the new server's clock, so the times in ids jump by as much,
// and earlier grants remain valid. In this way leases survive a fail-over that loses writes, and a
// backup that is restored, as long as the two servers' clocks agree within Claim.Slack and the old
// server has stopped. If it continues alone for some time, Claim.Slack has to include that time. A
// server that is read-only grants nothing, not even to a user who may write there. Rows, heads and
// tables may be deleted at any time.
//
// On SQLite the incarnation is the file. A file that takes the place of another, such as a
// backup, is a new incarnation, and processes that have the old one open refuse it: restart
// them. A file whose content is overwritten in place is still the same: stop all processes
// first, and delete the rows (`ringuid worker quarantine`) afterwards. In a process use
// one SQLite library for a file: when another closes it, the system drops all locks, and there are
// duplicates.
//
// # Settings
//
// MySQL must be 8.0 or later, MariaDB 10.3 or later, with autocommit on; a SQLite file must be
// on a local disk, with synchronous FULL or EXTRA and a journal on disk, as SQLiteDSN has it.
// Check, and Kept for Disposable, refuse (worker.ErrStore) a server that is read-only, or may
// lose acknowledged writes in a crash; worker.AllowUnfenced and Claim.AllowUnfenced start all
// the same. docs/stores.md says which settings they read, with which replication the class is
// Fenced or FencedLossy, what rented databases answer, and when a former primary has to be
// restarted. CockroachDB, YugabyteDB, TiDB and Vitess are refused. What cannot be seen are volumes
// that lie about fsync or are copied while the server runs, or two primaries at once: these are
// up to the operator. The class is that of the settings when the lease was taken.
//
// A process that is stopped (SIGSTOP, a debugger, a suspended container) while it has the lock of a
// SQLite file and its folder, for some milliseconds of a call, blocks all others there: they use up
// what was granted to them, and then wait.
package sqlstore
