// Package sqlstore keeps worker ids in tables of MySQL or MariaDB, PostgreSQL, or SQLite.
//
//	store, err := sqlstore.Open("mysql", "uid:secret@tcp(db:3306)/uid")
//	...
//	assigner := worker.Leased(store, worker.Claim{}) // recycled ids
//	assigner := worker.Disposable(store)             // a new id per start
//
// Open has two connections of its own. MySQL, Postgres and SQLite take a *sql.DB, which the caller
// closes. The package imports no driver. docs/stores.md has the rights that a user needs.
//
// The application may use the same *sql.DB. But when it keeps all connections of the pool for a
// minute, no lease is renewed, and ids run out although the database is well. Each call takes a
// connection for itself and looks at its session first. It closes one that was left
//
//   - in a transaction, or with autocommit off or READ UNCOMMITTED
//   - with a sql_select_limit, or a temporary table that hides one of these
//   - with another schema, clock, user or role
//
// and uses another. The log names the first, and Store.Discarded counts them. If no connection
// is better, nothing is written, and the error wraps worker.ErrStore. So name the database and
// the schema in the data source name, or by ALTER ROLE, not by USE or SET on each new
// connection.
//
// # Disposable
//
// WORKER_NODE is the table of Baidu's UidGenerator: on MySQL column for column, so that
// Java and Go processes share one counter and never get the same worker id. CreateTable
// creates it.
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
// which Schema returns too.
//
// Each write is one statement, committed by itself, which evaluates every condition with the
// server's clock, in UTC whatever the session's time zone, and with the server's incarnation: its
// start, which tables these are, since a dump makes others, on MySQL and MariaDB also its identity,
// and when read_only was last set (MySQL) or how often CHANGE MASTER was run (MariaDB). A server
// that restarted, or replaced another, grants nothing until the floor is raised (docs/leases.md).
// If the old server continues alone for some time, Claim.Slack has to include that time. A server
// that is read-only grants nothing, not even to a user who may write there.
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
// the same. docs/stores.md says which settings they read, and with which replication the class is
// Fenced or FencedLossy: that of the settings when the lease was taken. What cannot be seen are
// volumes that lie about fsync or are copied while the server runs, or two primaries at once.
//
// A process that is stopped (SIGSTOP, a debugger, a suspended container) while it has the lock of a
// SQLite file and its folder, for some milliseconds of a call, blocks all others there: they use up
// what was granted to them, and then wait.
package sqlstore
