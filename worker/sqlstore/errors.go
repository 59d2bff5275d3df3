package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
)

// The sentinels of this package, wrapped by every method that asks the database.
var (
	// ErrNoTable: the table WORKER_NODE, or the database itself, is not there.
	ErrNoTable = errors.New("no table WORKER_NODE")

	// ErrShape: there is a table WORKER_NODE, but without some columns of Schema.
	ErrShape = errors.New("WORKER_NODE has other columns")

	// ErrCounter: the database gives out keys again, as MySQL before 8.0 does when the
	// newest rows were deleted before a restart.
	ErrCounter = errors.New("WORKER_NODE gives out keys again")

	// ErrDenied: the database refuses the user, the password, or the access.
	ErrDenied = errors.New("access denied")
)

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
	locked  []string // another process is at it
	pooled  []string // a pooler between gave the statement another connection than the one before
	single  []string // a pooler between lets no transaction through
	strange []string // a pooler between does not know a setting of the DSN
	foreign []string // the file is another program's
	access  string   // what to check when access is denied
	leased  string   // the same, for the tables of leases
}

var mysqlFaults = faults{
	has:     hasMySQLNumber,
	noTable: []string{"1146", "1049", "1046"},
	nowhere: []string{"1049", "1046"},
	// Unknown column, no default, wrong value, cut off, wrong date, too long.
	shape:  []string{"1054", "1364", "1366", "1265", "1292", "1406"},
	denied: []string{"1045", "1044", "1142", "1143", "1130", "1698"},
	closed: []string{"1290", "1792", "1836"},
	access: "check user and password, and that the user has INSERT and SELECT on WORKER_NODE, " +
		"SELECT on uid_space where that is there, " +
		"and on MySQL before 8.0 SELECT and UPDATE on uid_key (and CREATE to make them)",
	leased: "check user and password, and that the user has SELECT and UPDATE on uid_ns and " +
		"uid_worker (and CREATE and INSERT, on uid_space too, to make them)",
}

var postgresFaults = faults{
	has:     hasPostgresSign,
	noTable: []string{"42P01", "3D000"},
	nowhere: []string{"3D000"},
	// Unknown column, wrong type, not null, too long, wrong date, no table.
	shape:   []string{"42703", "42804", "23502", "22001", "22007", "42809"},
	denied:  []string{"28P01", "28000", "42501"},
	closed:  []string{"25006"},
	exists:  []string{"23505", "42P07", "42710"},
	pooled:  []string{"26000", "42P05"}, // no such prepared statement, or already one
	single:  []string{"transaction blocks not allowed in statement pooling mode"},
	strange: []string{"unsupported startup parameter"},
	access:  mysqlFaults.access,
	leased:  mysqlFaults.leased,
}

var sqliteFaults = faults{
	has:     hasWords,
	noTable: []string{"no such table"},
	shape: []string{"has no column", "no such column", "NOT NULL constraint", "datatype mismatch",
		"cannot modify"},
	denied:  []string{"unable to open database", "readonly database", "not authorized"},
	locked:  []string{"is locked"},
	foreign: []string{"file is not a database"},
	access:  fileAccess,
	leased:  fileAccess,
}

const fileAccess = "it must be a file, its folder must exist, and the process must be allowed " +
	"to write both"

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

// hasPostgresSign knows a SQLSTATE by its length. PgBouncer has one for all that it says.
func hasPostgresSign(err error, sign string) bool {
	if len(sign) == 5 {
		return hasSQLState(err, sign)
	}
	return hasWords(err, sign)
}

func hasWords(err error, words string) bool { return strings.Contains(err.Error(), words) }

// bears says whether err has one of the signs.
func (f faults) bears(err error, signs []string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return f.has(err, sign) })
}

// meaning is the sentinel for err, or nil.
func (f faults) meaning(err error) error {
	switch {
	case f.bears(err, f.noTable):
		return ErrNoTable
	case f.bears(err, f.shape):
		return ErrShape
	case f.bears(err, f.denied):
		return ErrDenied
	}
	return nil
}

// noDatabase is what to do where not even the database is there.
const noDatabase = "create the database (CREATE DATABASE), or name one that is there; then make " +
	"the tables"

// hint says what to do about an error that means a sentinel.
func (f faults) hint(sentinel, err error) string {
	switch {
	case f.bears(err, f.nowhere):
		return noDatabase
	case sentinel == ErrNoTable:
		return "create it with `uidbench worker init` or Store.CreateTable, or apply Store.Schema " +
			"yourself"
	case sentinel == ErrShape:
		return "compare it with Store.Schema; CreateTable leaves a table that exists as it is"
	default:
		return f.access
	}
}

// noMemory is what the driver says of a file that it could not open, since it asks the
// connection that it did not get. Memory was not the matter.
const noMemory = ": out of memory (14)"

// plainError is an error without the driver's guess.
type plainError struct{ error }

func (e plainError) Error() string { return strings.ReplaceAll(e.error.Error(), noMemory, " (14)") }
func (e plainError) Unwrap() error { return e.error }

// plain is the error as it is shown.
func plain(err error) error {
	if strings.Contains(err.Error(), noMemory) {
		return plainError{err}
	}
	return err
}

// explain adds to an error what it means and what to do. Drivers keep passwords
// out of their errors, and nothing is added here that could have one.
func (s *Store) explain(doing string, err error) error {
	return s.explained(doing, err, "; if a row was added nevertheless, that only uses up a worker id")
}

// explainRead is explain for what adds no row.
func (s *Store) explainRead(doing string, err error) error { return s.explained(doing, err, "") }

// explained names, in added, what may have happened all the same.
func (s *Store) explained(doing string, err error, added string) error {
	err = plain(err)
	if errors.Is(err, ErrCounter) || saysAll(err) {
		return fmt.Errorf("sqlstore: %s in %s: %w", doing, s.name, err)
	}
	if meant := s.meaning(err); meant != nil {
		return fmt.Errorf("sqlstore: %s in %s: %w: %w; %s", doing, s.name, meant, err, s.hint(meant, err))
	}
	return fmt.Errorf("sqlstore: %s in %s: %w; %s", doing, s.name, err, s.advice(err, added))
}

// advice is what to do about an error that is not about the table.
func (f faults) advice(err error, added string) string {
	var op *net.OpError
	switch refused := f.refusal(err); {
	case refused != "":
		return refused
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "the context ended before the database answered" + added
	case errors.As(err, &op) && op.Op == "dial":
		return "no server answers there: start it, or check host and port"
	case f.bears(err, f.locked):
		return "another process keeps the file locked: find out which"
	}
	return "trying again is safe" + added
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
			"prepared are not: " +
			"let it keep them (PgBouncer 1.21 or later: max_prepared_statements above 0), or let the " +
			"driver prepare none " +
			"(pgx: default_query_exec_mode=cache_describe or exec; lib/pq: binary_parameters=yes)"
	case f.bears(err, f.single):
		return "the pooler between lets no transaction through (pool_mode = statement): do this past " +
			"it, or in another pool_mode"
	case f.bears(err, f.strange):
		return "the pooler between does not know this setting of the DSN: remove it, and set it for " +
			"the database user instead (ALTER ROLE ... SET)"
	}
	return ""
}
