package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"

	"github.com/ringuid/ringuid/worker"
)

// ErrDenied: the database refuses the user, the password, or the access. Every method that
// asks the database may return it.
var ErrDenied = errors.New("access denied")

// faults tell what an error of a database means. There is no driver here to ask,
// so they go by the codes and words that the database itself sends.
type faults struct {
	// has says whether err bears a sign: a code or some words.
	has     func(err error, sign string) bool
	noTable []string
	nowhere []string // of those: the database is not there, or not named
	shape   []string
	denied  []string
	closed  []string // the server takes no writes
	exists  []string // another process created the table at the same moment
	taken   []string // another process added that row
	undone  []string // the statement was rolled back, for certain
	locked  []string // another process is at it
	pooled  []string // a pooler between gave the statement another connection than the one before
	foreign []string // the file is another program's
}

var mysqlFaults = faults{
	has:     hasMySQLNumber,
	noTable: []string{"1146", "1049", "1046"},
	nowhere: []string{"1049", "1046"},
	// Unknown column, no default, wrong value, cut off, wrong date, too long.
	shape:  []string{"1054", "1364", "1366", "1265", "1292", "1406"},
	denied: []string{"1045", "1044", "1142", "1143", "1130", "1698"},
	closed: []string{"1290", "1792", "1836"},
	taken:  []string{"1062"},
	// deadlock, lock wait timeout, MariaDB's innodb_snapshot_isolation
	undone: []string{"1213", "1205", "1020"},
}

var postgresFaults = faults{
	has:     hasSQLState,
	noTable: []string{"42P01", "3D000"},
	nowhere: []string{"3D000"},
	// Unknown column, wrong type, not null, too long, wrong date, no table.
	shape:  []string{"42703", "42804", "23502", "22001", "22007", "42809"},
	denied: []string{"28P01", "28000", "42501"},
	closed: []string{"25006"},
	exists: []string{"23505", "42P07", "42710"},
	pooled: []string{"26000", "42P05"}, // no such prepared statement, or already one
	taken:  []string{"23505"},
	undone: []string{"40P01", "40001", "55P03"}, // deadlock, serialization, lock timeout
}

var sqliteFaults = faults{
	has:     hasWords,
	noTable: []string{"no such table"},
	shape: []string{"has no column", "no such column", "NOT NULL constraint", "datatype mismatch",
		"cannot modify"},
	denied:  []string{"unable to open database", "readonly database", "not authorized"},
	locked:  []string{"is locked"},
	foreign: []string{"file is not a database"},
	taken:   []string{"UNIQUE constraint failed"},
}

var mysqlNumber = regexp.MustCompile(`(?i)\berror (\d{4})\b`)

// hasMySQLNumber reads "Error 1146 (42S02): Table ... doesn't exist", as the
// server's own client prints it too.
func hasMySQLNumber(err error, number string) bool {
	m := mysqlNumber.FindStringSubmatch(err.Error())
	return m != nil && m[1] == number
}

// hasSQLState asks the error, as both of PostgreSQL's drivers allow.
func hasSQLState(err error, state string) bool {
	var s interface{ SQLState() string }
	return errors.As(err, &s) && s.SQLState() == state
}

func hasWords(err error, words string) bool { return strings.Contains(err.Error(), words) }

// bears says whether err has one of the signs.
func (f faults) bears(err error, signs []string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return f.has(err, sign) })
}

// topic is what a method is about: which tables, and which rights on them it takes.
type topic struct{ tables, rights string }

var (
	nodes = topic{"WORKER_NODE",
		"INSERT and SELECT on WORKER_NODE, and SELECT on uid_lease (and CREATE to make them)"}
	leases = topic{"uid_lease and uid_lease_head",
		"SELECT, INSERT, UPDATE and DELETE on uid_lease and uid_lease_head (and CREATE to make them), " +
			"and SELECT on WORKER_NODE and, in PostgreSQL, its sequence"}
)

// What may have happened all the same when an error is not about the tables.
const (
	nothing = "trying again is safe"
	aRow    = nothing + "; if a row was added nevertheless, that only uses up a worker id"
	unknown = "the outcome is not known until the row is read again"
)

// noMemory is what the driver says of a file that it could not open, since it asks the
// connection that it did not get. Memory was not the matter.
const noMemory = ": out of memory (14)"

// plainError is an error without the driver's guess.
type plainError struct{ error }

func (e plainError) Error() string { return strings.ReplaceAll(e.error.Error(), noMemory, " (14)") }
func (e plainError) Unwrap() error { return e.error }

// saysAll: the error is not the database's, and says what to do.
func saysAll(err error) bool {
	return slices.ContainsFunc([]error{errNoDB, worker.ErrNotMade, worker.ErrStore,
		worker.ErrOverlap}, func(sentinel error) bool { return errors.Is(err, sentinel) })
}

// explain adds to an error, if it is one, what it means and what to do; sent is what may have
// happened all the same. Drivers keep passwords out of their errors, and nothing is added here
// that could have one.
func (s *Store) explain(doing string, err error, t topic, sent string) error {
	if err == nil {
		return nil
	}
	if strings.Contains(err.Error(), noMemory) {
		err = plainError{err}
	}
	if errors.Is(err, errNotBegun) {
		sent = nothing
	}
	head := fmt.Sprintf("sqlstore: %s in %s", doing, s.name)
	switch {
	case saysAll(err):
		return fmt.Errorf("%s: %w", head, err)
	case s.bears(err, s.nowhere):
		return fmt.Errorf("%s: %w: %w; create the database (CREATE DATABASE), or name one that is there",
			head, worker.ErrNotMade, err)
	case s.bears(err, s.noTable):
		return fmt.Errorf("%s: %w: %w; create them with `uidbench worker init` or Store.CreateTable, or "+
			"apply Store.Schema yourself", head, worker.ErrNotMade, err)
	case s.bears(err, s.shape):
		return fmt.Errorf("%s: %w: %s: other columns than expected: %w; compare them with Store.Schema: "+
			"a table that exists is left as it is", head, worker.ErrStore, t.tables, err)
	case s.bears(err, s.denied) && s.file != nil:
		return fmt.Errorf("%s: %w: %w; it must be a file, its folder must exist, and the process must "+
			"be allowed to write both", head, ErrDenied, err)
	case s.bears(err, s.denied):
		return fmt.Errorf("%s: %w: %w; check user and password, and that the user has %s", head,
			ErrDenied, err, t.rights)
	}
	return fmt.Errorf("%s: %w; %s", head, err, s.advice(err, sent))
}

// advice is what to do about an error that is not about the table.
func (f faults) advice(err error, sent string) string {
	var op *net.OpError
	switch refused := f.refusal(err); {
	case refused != "":
		return refused
	case f.bears(err, f.locked):
		return "another process keeps the file locked, and nothing was written: find out which"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the context ended before the database answered; " + sent
	case errors.As(err, &op) && op.Op == "dial":
		return "no server answers there: start it, or check host and port"
	}
	return sent
}

// refusal is what to do about an error before which nothing can have been written, or
// nothing when err is another.
func (f faults) refusal(err error) string {
	switch {
	case f.bears(err, f.closed):
		return "nothing was written: connect to the primary"
	case f.bears(err, f.foreign):
		return "this is no SQLite file, and nothing was written: type another path"
	case strings.Contains(err.Error(), "for caching_sha2_password"): // the driver's words
		return "without TLS this way to log in needs the server's public key, which it did not send: " +
			"connect with TLS (tls=true), or set caching_sha2_password_public_key_path on the server"
	case f.bears(err, f.pooled):
		return "a pooler between gives each statement another connection, where those that the driver " +
			"prepared are not: let it keep them (PgBouncer 1.21: max_prepared_statements above 0), or let " +
			"the driver prepare none (pgx: default_query_exec_mode=cache_describe or exec; lib/pq: " +
			"binary_parameters=yes)"
	}
	return ""
}
