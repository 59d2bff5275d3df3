// Package sqlstore keeps worker ids in a table of MySQL or MariaDB, PostgreSQL,
// or SQLite.
//
//	db, err := sql.Open("mysql", "uid:secret@tcp(db:3306)/uid")
//	...
//	assigner := worker.Disposable(sqlstore.MySQL(db))
//
// The *sql.DB is the caller's, with the driver, TLS and limits of the caller's
// choice; it must not switch autocommit off. The package imports no driver. It
// closes nothing, and needs the DB only while it registers.
//
// # The table
//
// WORKER_NODE is the table of Baidu's UidGenerator: on MySQL column for column,
// so that Java and Go processes count up the same key and never get the same
// worker id. Init creates it when asked, Schema shows how. The database's user
// needs INSERT and SELECT on it.
//
// # What keeps ids from coming back
//
// Register adds its row in one statement and takes the key from that statement's
// own answer. It returns a key only after the commit. When the answer is lost it
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
//     counter when they restart, and go on from the highest row that is left.
//   - Restoring a backup takes the counter back. Raise it afterwards above every
//     id that was given out since.
//
// Gaps between ids are normal: a rolled-back insert, auto_increment_increment on
// a cluster with several writers, and servers that hand out ids in blocks all
// spend some.
package sqlstore
