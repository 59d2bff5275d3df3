// Package sqlstore keeps worker ids in a table of MySQL or MariaDB, PostgreSQL,
// or SQLite.
//
//	db, err := sql.Open("mysql", "uid:secret@tcp(db:3306)/uid")
//	...
//	assigner := worker.Disposable(sqlstore.MySQL(db))                       // a new id per start
//	assigner := worker.Leased(sqlstore.MySQL(db).Leases(), worker.Claim{}) // recycled ids
//
// The *sql.DB is the caller's, with the driver, TLS and limits of the caller's
// choice; it must not switch autocommit off. The package imports no driver. It
// closes nothing. Disposable needs the DB only while it registers, Leased as long
// as the lease lives.
//
// # The table
//
// WORKER_NODE is the table of Baidu's UidGenerator: on MySQL column for column,
// so that Java and Go processes count up the same key and never get the same
// worker id. Init creates it when asked, Schema shows how. The database's user
// needs INSERT and SELECT on it, and SELECT on uid_space where that is there.
//
// # What keeps ids from coming back
//
// Register adds its row in one statement and takes the key from that statement's
// own answer. Then it looks at uid_space, and refuses a key that a namespace of
// Leases has for the same layout. It returns a key only after the commit. When the answer is lost it
// does not try again: the row may be there, and its id is spent. (It does wait for
// a locked SQLite file, which has refused for certain. And database/sql repeats a
// statement that its driver says was never sent; a driver that is wrong there
// spends an id too.)
//
// The rest is the server's part:
//
//   - It must not lose what it acknowledged: innodb_flush_log_at_trx_commit=1
//     (and sync_binlog=1 with replicas) on MySQL, fsync and synchronous_commit
//     on, and no UNLOGGED table, on PostgreSQL, synchronous=EXTRA (or a WAL, and FULL)
//     on SQLite, as SQLiteDSN sets it. A fail-over to an asynchronous replica loses rows, and
//     gives their ids again.
//   - Rows must stay. MySQL before 8.0 and MariaDB before 10.2.4 forget the
//     counter when they restart, and go on from the highest row that is left. There
//     Register keeps the highest key in the table uid_key, which Init makes, in one
//     transaction with its row (so starts wait for each other), and refuses a key
//     that is not above it. Its user needs SELECT and UPDATE on uid_key, too.
//   - Restoring a backup takes the counter back. Raise it afterwards above every
//     id that was given out since.
//
// Gaps between ids are normal: a rolled-back insert, auto_increment_increment on
// a cluster with several writers, and servers that hand out ids in blocks all
// spend some.
//
// # Leases
//
// Leases keeps recycled ids in two more tables, uid_ns and uid_worker; its user
// needs SELECT and UPDATE on both, and Init the right to create them and INSERT. A
// third, uid_space, tells which worker ids of a layout its namespaces ever had.
// Each Write is one statement, committed by itself. Every condition is evaluated
// inside it: with the server's clock, in UTC whatever the session's time zone; and
// with the server's incarnation, so that a server that came up after a crash, or in
// place of another, grants nothing before the floor is raised.
//
// Check asks for the settings, and refuses (store.ErrStore) a server that may lose
// by its own crash what it acknowledged, or that is read-only. What it cannot see
// is the operator's part: volumes that lie about fsync or are copied behind the
// server's back, and two primaries at once.
//
//   - MySQL, MariaDB: innodb_flush_log_at_trx_commit=1; with a binary log also
//     sync_binlog=1 and a binlog_format other than STATEMENT; autocommit on. Fenced
//     without a binary log, which is to say without replicas, or with semi-sync
//     AFTER_SYNC whose timeout never ends. Else FencedLossy, Galera and Group
//     Replication included: let Galera write to one node. MySQL 5.7 or later with
//     the performance schema, MariaDB 10.2 or later. Restart a server that was the
//     primary and became a replica before it is the primary again: MySQL does not
//     tell that it was not all the while, and MariaDB only if the change was made
//     with CHANGE MASTER.
//   - PostgreSQL: fsync on, synchronous_commit not off, no UNLOGGED table. Fenced
//     while no standby is connected, or with synchronous_standby_names,
//     synchronous_commit on or remote_apply, and no statement_timeout, which would
//     end the wait for the standby and count as success, as pg_cancel_backend does.
//     Else FencedLossy. Views wait for a synchronous standby too, so that none shows
//     what only the primary has. Patroni: synchronous_mode_strict, or it stops
//     waiting by itself.
//   - SQLite: synchronous FULL or EXTRA and a journal on disk, as SQLiteDSN has it;
//     a local disk. Fenced among the processes that share the file. A file that is
//     replaced while it is open is refused, and so is one that an older state was copied
//     over (store.ErrRolledBack): each change is counted in the file; in WAL mode SQLite
//     itself does not see such a copy as long as its cache serves. A process that is
//     stopped (SIGSTOP, a debugger, a suspended container) while it has the write lock
//     stops all others for as long: they use up what was granted to them, and then wait.
//     Check cannot see it.
//
// The class is that of the settings when the lease was taken; a standby that joins
// later changes it for the next one.
//
// A fail-over that loses nothing costs one raise of the floor: new grants begin a
// window and the claim's Slack after the new server's now, and times jump by as
// much; what was granted before goes on. One that loses writes is survived in the
// same way, as long as the two servers' clocks agree within Slack and the old one
// has stopped: that is FencedLossy. After restoring a backup, Quarantine.
package sqlstore
