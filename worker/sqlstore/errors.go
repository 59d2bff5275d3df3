package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"

	"github.com/ringuid/ringuid/worker"
)

// A fault is what an error of a database means to users, and what to do about it. Nothing has
// been written then. It may have a sentinel; one without a text is only for the store.
type fault struct {
	is error
	do string
}

var (
	noTable = &fault{worker.ErrNotMade, "create them with `uidbench worker init --store URL`, or " +
		"Store.CreateTable, or apply Store.Schema yourself"}
	nowhere = &fault{worker.ErrNotMade, "create the database (CREATE DATABASE), or name one that is " +
		"there"}
	shape = &fault{worker.ErrStore, "a table has other columns than expected: compare it with " +
		"Store.Schema: a table that exists is left as it is. If uid_lease and uid_lease_head are " +
		"another version's, stop all processes and drop both"}
	denied = &fault{worker.ErrDenied, "check user and password, and that the user has, for Leased, SELECT, " +
		"INSERT, UPDATE and DELETE on uid_lease and uid_lease_head, and SELECT on WORKER_NODE and, in " +
		"PostgreSQL, its sequence; for Disposable INSERT and SELECT on WORKER_NODE, and SELECT on " +
		"uid_lease; and CREATE where there are no tables"}
	noFile = &fault{worker.ErrDenied, "it must be a file, its folder must exist, and the process must be " +
		"allowed to write both"}
	closed = &fault{nil, "nothing was written: connect to the primary"}
	// another process added that row, or that table, at the same moment
	taken = &fault{}
	// the statement was rolled back, for certain
	undone = &fault{}
	locked = &fault{nil, "another process keeps the file locked, and nothing was written: find out " +
		"which"}
	pooled = &fault{nil, "a pooler between gives each statement another connection, where those " +
		"that the driver prepared are not: let it keep them (PgBouncer 1.21: max_prepared_statements " +
		"above 0), or let the driver prepare none (pgx: default_query_exec_mode=cache_describe or " +
		"exec; lib/pq: binary_parameters=yes)"}
	// the session, as the application left it, does not let the statement be, or count
	left    = &fault{worker.ErrStore, "nothing was written, on other connections neither: " + endIt}
	foreign = &fault{nil, "this is no SQLite file, and nothing was written: type another path"}
)

const endIt = "end each transaction, and undo each SET, on the connection that began it, or give " +
	"worker ids a *sql.DB of their own"

// faults are those of one database. No driver is imported here, so they are found by the codes
// that the database itself sends, or by words in its errors if it sends no codes.
type faults struct {
	code func(err error) string
	of   map[string]*fault
}

// fault returns nil for any other error.
func (f faults) fault(err error) *fault {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLeft):
		return left
	case f.code != nil:
		return f.of[f.code(err)]
	}
	for words, is := range f.of {
		if strings.Contains(err.Error(), words) {
			return is
		}
	}
	return nil
}

var mysqlFaults = faults{mysqlNumber, map[string]*fault{
	"1146": noTable, "1049": nowhere, "1046": nowhere,
	// Unknown column, no default, wrong value, cut off, wrong date, too long.
	"1054": shape, "1364": shape, "1366": shape, "1265": shape, "1292": shape, "1406": shape,
	"1045": denied, "1044": denied, "1142": denied, "1143": denied, "1130": denied, "1698": denied,
	"1290": closed, "1836": closed,
	"1062": taken,
	// Deadlock, lock wait timeout, MariaDB's innodb_snapshot_isolation.
	"1213": undone, "1205": undone, "1020": undone,
	// In a transaction, a distributed one, LOCK TABLES, a session that only reads.
	"1568": left, "1399": left, "1100": left, "1792": left,
}}

var postgresFaults = faults{sqlState, map[string]*fault{
	"42P01": noTable, "3D000": nowhere,
	// Unknown column, wrong type, not null, too long, wrong date, no table.
	"42703": shape, "42804": shape, "23502": shape, "22001": shape, "22007": shape, "42809": shape,
	"28P01": denied, "28000": denied, "42501": denied,
	"25006": closed,
	"23505": taken, "42P07": taken, "42710": taken,
	// No such prepared statement, or already one.
	"26000": pooled, "42P05": pooled,
	// Deadlock, serialization, lock timeout.
	"40P01": undone, "40001": undone, "55P03": undone,
	// In a transaction that was aborted; what the condition {sound} casts.
	"25P02": left, "22P02": left,
}}

var sqliteFaults = faults{nil, map[string]*fault{
	"no such table": noTable,
	"has no column": shape, "no such column": shape, "NOT NULL constraint": shape,
	"datatype mismatch": shape, "cannot modify": shape,
	"unable to open database": noFile, "readonly database": noFile, "not authorized": noFile,
	"is locked":                locked,
	"within a transaction":     left,
	"file is not a database":   foreign,
	"UNIQUE constraint failed": taken,
}}

var mysqlWords = regexp.MustCompile(`(?i)\berror (\d{4})\b`)

// mysqlNumber reads "Error 1146 (42S02): Table ... doesn't exist", which the server's own
// client prints too.
func mysqlNumber(err error) string {
	if m := mysqlWords.FindStringSubmatch(err.Error()); m != nil {
		return m[1]
	}
	return ""
}

// sqlState asks the error, as both PostgreSQL drivers allow.
func sqlState(err error) string {
	var s interface{ SQLState() string }
	if errors.As(err, &s) {
		return s.SQLState()
	}
	return ""
}

// What may have happened nevertheless when an error is not about the tables.
const (
	nothing = "trying again is safe"
	aRow    = nothing + "; if a row was added nevertheless, that only uses up a worker id"
	unknown = "the outcome is not known until the row is read again"
)

// noMemory is what the driver says about a file that it could not open, since it asks the
// connection that it did not get. The cause is not memory.
const noMemory = ": out of memory (14)"

// plainError is an error without the driver's guess.
type plainError struct{ error }

func (e plainError) Error() string { return strings.ReplaceAll(e.error.Error(), noMemory, " (14)") }
func (e plainError) Unwrap() error { return e.error }

// unfit is an error that wraps worker.ErrStore.
func unfit(why string, args ...any) error {
	return fmt.Errorf("%w: "+why, append([]any{worker.ErrStore}, args...)...)
}

// explain adds to an error, if there is one, what it means and what to do; sent says what may
// have happened nevertheless. Drivers keep passwords out of their errors, and nothing that is
// added here can contain one.
func (s *tables) explain(doing string, err error, sent string) error {
	if err == nil {
		return nil
	}
	if strings.Contains(err.Error(), noMemory) {
		err = plainError{err}
	}
	if errors.Is(err, errNotSent) {
		sent = nothing
	}
	for _, sentinel := range []error{errNoDB, worker.ErrNotMade, worker.ErrStore, worker.ErrOverlap} {
		if errors.Is(err, sentinel) { // not the database's error: it says what to do
			return fmt.Errorf("sqlstore: %s in %s: %w", doing, s.name, err)
		}
	}
	do := advice(err, sent)
	if fault := s.fault(err); fault != nil {
		do = cmp.Or(fault.do, do)
		if fault.is != nil {
			err = fmt.Errorf("%w: %w", fault.is, err)
		}
	}
	return fmt.Errorf("sqlstore: %s in %s: %w; %s", doing, s.name, err, do)
}

// advice is what to do about an error that the database did not send.
func advice(err error, sent string) string {
	var op *net.OpError
	switch {
	case strings.Contains(err.Error(), "for caching_sha2_password"): // the driver's words
		return "without TLS this way to log in needs the server's public key, which it did not send: " +
			"connect with TLS (tls=true), or set caching_sha2_password_public_key_path on the server"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the context ended before the database answered; " + sent
	case errors.As(err, &op) && op.Op == "dial":
		return "no server answers there: start it, or check host and port"
	}
	return sent
}
