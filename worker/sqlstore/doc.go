// Package sqlstore keeps worker ids in a table of MySQL or MariaDB, PostgreSQL,
// or SQLite.
//
//	db, err := sql.Open("mysql", "uid:secret@tcp(db:3306)/uid")
//	...
//	assigner := worker.Disposable(sqlstore.MySQL(db))                       // a new id per start
//	assigner := worker.Leased(sqlstore.MySQL(db), worker.Claim{}) // recycled ids
//
// The caller owns the *sql.DB, chooses its driver, TLS and limits, and closes it; it must
// not turn autocommit off. The package imports no driver. Disposable needs the DB only
// while it registers, Leased for the life of the lease.
//
// # The table
//
// WORKER_NODE is the table of Baidu's UidGenerator: on MySQL column for column, so that
// Java and Go processes share one counter and never get the same worker id. CreateTable
// creates it, Schema returns the statement. The database user needs INSERT and SELECT on it, and
// SELECT on uid_space if that exists.
//
// # What keeps ids from coming back
//
// Register adds its row in one statement and takes the key from the answer to that
// statement. Then it reads uid_space, and refuses a key that a namespace of Leases has
// for the same layout. It returns a key only after the commit. When the answer is lost it
// does not try again: the row may exist, and its id is used up. (It does wait for a
// locked SQLite file, which has certainly not been changed. And database/sql repeats a
// statement that its driver says was never sent; a driver that is wrong there uses up an
// id, too.)
//
// The rest is the server's part:
//
//   - It must not lose what it acknowledged. MySQL: innodb_flush_log_at_trx_commit=1, with a
//     binary log sync_binlog=1, autocommit on. PostgreSQL: fsync on, and no UNLOGGED table;
//     Register sets synchronous_commit for itself. SQLite: a file, with synchronous=EXTRA or
//     FULL, as SQLiteDSN sets it, and its journal on disk. A start of Disposable asks Class,
//     which refuses (store.ErrStore) any other setting in the words of Check, and a server
//     that is read-only; worker.AllowUnfenced starts all the same, but never in memory. No
//     setting shows that a fail-over to an asynchronous replica loses rows, and gives out
//     their ids again.
//   - Rows must never be deleted. MySQL before 8.0 and MariaDB before 10.2.4 forget the
//     counter when they restart, and continue from the highest row that is left. There
//     Register keeps the highest key in the table uid_key, which CreateTable creates, in one
//     transaction with its row (so starts wait for each other), and refuses a key that is
//     not above it. The user also needs SELECT and UPDATE on uid_key.
//   - Restoring a backup sets the counter back. Afterwards, raise it above every id that
//     was given out since the backup.
//
// Gaps between ids are normal: a rolled-back insert, auto_increment_increment on a
// cluster with several writers, and servers that hand out ids in blocks all leave some.
//
// # Leases
//
// Leases keeps recycled worker ids in two more tables, uid_ns and uid_worker; the user
// needs SELECT and UPDATE on both, and for Init the right to create them and INSERT. A
// third table, uid_space, records which worker ids of a layout its namespaces have ever
// had. Each Write is one statement, committed by itself, and evaluates every condition:
// with the server's clock, in UTC whatever the session's time zone; and with the server's
// incarnation, so that a server that restarted, or replaced another, grants nothing until
// the floor is raised.
//
// Check reads the settings, and refuses (store.ErrStore) a server that is read-only, or
// may lose acknowledged writes in a crash. It cannot see volumes that lie about fsync,
// volumes that are copied while the server runs, or two primaries at once: these are the
// operator's part.
//
//   - MySQL, MariaDB: innodb_flush_log_at_trx_commit=1; with a binary log also
//     sync_binlog=1 and a binlog_format other than STATEMENT; autocommit on. Fenced
//     without a binary log, that is, without replicas; with semi-sync AFTER_SYNC that
//     waits for every replica and whose timeout never ends; and on MySQL 8 or later in a
//     Group Replication (InnoDB Cluster) with a single primary, whose members join at
//     their start. Otherwise FencedLossy, including Galera, where only one node may be
//     written to. On MariaDB never KILL QUERY a write that waits for its replica: that
//     counts as success. MySQL 5.7 or later with the performance schema, MariaDB 10.2 or
//     later. A former primary that becomes the primary again is another one on MySQL 8 if
//     read_only was set meanwhile, and on MariaDB if it was told CHANGE MASTER; else
//     restart it before. docs/stores.md says what was run.
//   - PostgreSQL: fsync on, no UNLOGGED table; each statement sets synchronous_commit for
//     itself. Fenced without a standby, or if a commit waits for each one that is named,
//     connected or has a slot: synchronous_standby_names 'a', or 'ANY 2 (a, b)'. Otherwise
//     FencedLossy: of two, the one that is promoted may lack what only the other has, and
//     an old primary that still runs goes on with the other. Views also wait for a
//     synchronous standby, so that none shows what only the primary has. Never use
//     pg_cancel_backend on a statement that waits for a standby: it counts as done.
//     Patroni: set synchronous_mode_strict, or it stops waiting for the standby by
//     itself. PgBouncer may be between, in transaction mode; one that keeps no prepared
//     statements needs a driver that makes none.
//   - SQLite: synchronous FULL or EXTRA and a journal on disk, as SQLiteDSN has it; a
//     local disk. Fenced among the processes that share the file. A file that is replaced
//     while it is open is refused, and so is one that was overwritten with an older copy
//     (store.ErrRolledBack): each change is counted in the file. (In WAL mode SQLite
//     itself does not notice such a copy while its cache has the pages.) A process that
//     is stopped (SIGSTOP, a debugger, a suspended container) while it has the write lock
//     blocks all others: they use up what was granted to them, and then wait. Check
//     cannot see that.
//
// The class follows from the settings when the lease was taken; a standby that joins
// later changes it for the next lease.
//
// After a fail-over the floor is raised: new grants begin a window and the claim's Slack
// after the new server's clock, so the times in ids jump by as much; earlier grants
// remain valid. A fail-over that loses writes is survived in the same way, as long as the
// two servers' clocks agree within Slack and the old server has stopped: that is what
// FencedLossy means. After restoring a backup, call Quarantine.
package sqlstore
