package sqlstore

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/ringuid/ringuid/worker"
)

// A fault is what an error means to users, and what to do about it. It may have a sentinel, if
// trying again is no use. One without a text is only for the store, and nothing was written.
type fault struct {
	is error
	do string
}

var (
	noTable = &fault{worker.ErrNoTables, "create them with `ringuid worker init --store URL`, with " +
		"--layout LAYOUT for Leased, or Store.CreateTable, or apply Store.Schema yourself"}
	nowhere = &fault{worker.ErrNoTables, "create the database (CREATE DATABASE), or name one that " +
		"is there; the same for a schema"}
	setting = &fault{worker.ErrClaim, "correct the data source name: what the driver does not " +
		"know is sent to the server, which does not know it either, or not this value"}
	shape = &fault{worker.ErrStore, "a table has other columns than expected: compare it with " +
		"Store.Schema: a table that exists is left as it is. If uid_lease and uid_lease_head are " +
		"another version's, stop all processes and drop both"}
	stranger = &fault{worker.ErrDenied, "check user and password, and whether the server lets this " +
		"user in from here (PostgreSQL: pg_hba.conf; MySQL: the host in 'user'@'host')"}
	mysqlDenied = &fault{worker.ErrDenied, "for Leased the user needs SELECT, INSERT, UPDATE, " +
		"DELETE and CREATE on uid_lease and uid_lease_head, and SELECT and CREATE on WORKER_NODE; for " +
		"Disposable SELECT and INSERT on WORKER_NODE, and SELECT and CREATE on uid_lease; to list " +
		"worker ids SELECT on uid_lease, uid_lease_head and WORKER_NODE; with CREATE, GRANT takes a " +
		"table that does not exist"}
	denied = &fault{worker.ErrDenied, "for Leased the user needs SELECT, INSERT, UPDATE and " +
		"DELETE on uid_lease and uid_lease_head, and SELECT on WORKER_NODE and its sequence, if they " +
		"are there; for Disposable SELECT and INSERT on WORKER_NODE, and SELECT on uid_lease; to list " +
		"worker ids SELECT on uid_lease, uid_lease_head, WORKER_NODE and its sequence, and UPDATE on " +
		"uid_lease_head; to create tables CREATE on the schema; row level security refuses, too"}
	noFile = &fault{worker.ErrDenied, "it must be a file, its folder must exist, and the process " +
		"must be allowed to write both"}
	closed  = &fault{nil, errReadOnly.Error()}
	crowded = &fault{nil, "nothing was written, and trying again is safe: let processes keep fewer " +
		"connections (sqlstore.Open takes two), or raise max_connections, or the user's limit"}
	away = &fault{nil, "the server starts or stops, or is in offline mode: wait until it serves again"}
	cut  = &fault{nil, "it took longer than the server allows, or somebody cancelled it: trying " +
		"again is safe; see max_execution_time, max_statement_time or statement_timeout"}
	// another process added that row, or that table, at the same moment
	taken = &fault{}
	// the statement was rolled back, for certain
	undone = &fault{}
	locked = &fault{nil, "another process keeps the file locked, and nothing was written: find out " +
		"which"}
	pooled = &fault{worker.ErrStore, "a pooler between gives each statement another connection, " +
		"where those that the driver prepared are not: let it keep them (PgBouncer 1.21: " +
		"max_prepared_statements above 0), or let the driver prepare none (pgx: " +
		"default_query_exec_mode=cache_describe or exec; lib/pq: binary_parameters=yes)"}
	startup = &fault{worker.ErrStore, "let the pooler ignore it (for lib/pq, PgBouncer's " +
		"ignore_startup_parameters = extra_float_digits); one that names the schema leave out of the DSN"}
	ruled = &fault{worker.ErrStore, "nothing was written: drop the trigger or rule of the table"}
	// the session, as the application left it, does not let the statement be, or count
	left    = &fault{worker.ErrStore, "nothing was written, on other connections neither: " + endIt}
	foreign = &fault{worker.ErrStore, "this is no SQLite file, and nothing was written: type " +
		"another path"}
)

// errReadOnly may go away: while a fail-over is under way, too, so a start tries again.
var errReadOnly = errors.New("the server is a standby, or it or this user's transactions are " +
	"read-only, and nothing was written: connect to the primary, or let it write")

const endIt = "end each transaction, and undo each SET, on the connection that began it, or give " +
	"worker ids connections of their own (sqlstore.Open)"

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
	case errors.Is(err, errAnother):
		return pooled
	case strings.Contains(err.Error(), "sql: Scan error"), // a value of another type
		strings.Contains(err.Error(), "failed to encode args"): // pgx's words
		return shape
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
	// SET of an unknown variable, a wrong value, a global or read-only one, time zone, character set.
	"1193": setting, "1231": setting, "1229": setting, "1238": setting, "1298": setting,
	"1115": setting, "1273": setting,
	// Unknown column, no default, wrong value, cut off, wrong date, too long, too large.
	"1054": shape, "1364": shape, "1366": shape, "1265": shape, "1292": shape, "1406": shape,
	"1264": shape,
	"1045": stranger, "1130": stranger, "1698": stranger,
	"1044": {worker.ErrDenied, "is that the right database? If so, " + mysqlDenied.do},
	"1142": mysqlDenied, "1143": mysqlDenied,
	"1290": closed, "1836": closed, "1242": closed, // the last is that of {sound}
	"1040": crowded, "1203": crowded, "1226": crowded,
	"1053": away, "3032": away,
	// Two limits, and KILL QUERY.
	"3024": cut, "1969": cut, "1317": cut,
	"1062": taken,
	// Deadlock, lock wait timeout, MariaDB's innodb_snapshot_isolation.
	"1213": undone, "1205": undone, "1020": undone,
	// In a transaction, a distributed one, LOCK TABLES, a session that only reads.
	"1568": left, "1399": left, "1100": left, "1792": left,
}}

var postgresFaults = faults{sqlState, map[string]*fault{
	"42P01": noTable, "3D000": nowhere, "3F000": nowhere,
	// A parameter of the connection, and its value.
	"42704": setting, "22023": setting,
	// Unknown column, wrong type, not null, too long, wrong date, no table, too large.
	"42703": shape, "42804": shape, "23502": shape, "22001": shape, "22007": shape, "42809": shape,
	"22003": shape,
	"28P01": stranger, "28000": stranger, "42501": denied,
	"25006": closed, "53300": crowded, "57014": cut,
	"57P01": away, "57P02": away, "57P03": away,
	"23505": taken, "42P07": taken, "42710": taken,
	// No such prepared statement, already one, another one.
	"26000": pooled, "42P05": pooled, otherPrepared: pooled,
	noParameter: startup, noReturning: ruled,
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

// sqlState asks the error, as both PostgreSQL drivers allow. Of protocol violations, for which
// PgBouncer has one code, and of what a table does not support, it tells some apart.
func sqlState(err error) string {
	var s interface{ SQLState() string }
	if !errors.As(err, &s) {
		return ""
	}
	has := func(words string) bool { return strings.Contains(err.Error(), words) }
	switch code := s.SQLState(); {
	case code == "08P01" && (has("but prepared statement") || has("result formats but query")),
		code == "42P01" && !has("uid_lease") && !has("worker_node"):
		return otherPrepared
	case code == "08P01" && has("unsupported startup parameter"):
		return noParameter
	case code == "0A000" && has(" RETURNING "):
		return noReturning
	default:
		return code
	}
}

const (
	otherPrepared = "08P01 or 42P01, of another client's statement"
	noParameter   = "08P01, of a parameter"
	noReturning   = "0A000, of a rule"
)

// What may have happened nevertheless when an error is not about the tables.
const (
	nothing = "trying again is safe"
	aRow    = nothing + "; if a row was added nevertheless, that only uses up a worker id"
	unknown = "the outcome is not known until the row is read again"
)

// plain makes a line of what a driver says in several. What SQLite's says about a file that it
// could not open goes: it asks the connection that it did not get, and the cause is not memory.
var plain = strings.NewReplacer(": out of memory (14)", " (14)",
	":\n\t", ": ", "\n\t", "; ", "\n", "; ")

// plainError is a driver's error on one line.
type plainError struct{ error }

func (e plainError) Error() string { return plain.Replace(e.error.Error()) }
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
	var garbled *url.Error // of lib/pq
	has := func(words string) bool { return strings.Contains(err.Error(), words) }
	_, why, unparsed := strings.Cut(err.Error(), "cannot parse `") // pgx's words, and then the name
	switch {
	case has("failed to parse as URL"), has(`missing "=" after`), errors.As(err, &garbled):
		err = fmt.Errorf("%w: %w", worker.ErrClaim, errUnread)
	case unparsed:
		err = fmt.Errorf("%w: correct the data source name%s", worker.ErrClaim,
			why[strings.LastIndex(why, "`")+1:])
	case errors.Is(err, errNotSent):
		sent = nothing
	}
	for _, sentinel := range []error{worker.ErrClaim, worker.ErrNoTables, worker.ErrStore,
		worker.ErrOverlap, errReadOnly} {
		if errors.Is(err, sentinel) { // not the database's error: it says what to do
			return fmt.Errorf("sqlstore: %s in %s: %w", doing, s.name, err)
		}
	}
	err = plainError{err}
	is := s.fault(err)
	if is == nil {
		is = &fault{do: advice(err) + sent}
		if has("sql: database is closed") {
			is = &fault{worker.ErrClaim, "close it after the generator"}
		}
	}
	if errors.Is(err, errGlobal) {
		is = &fault{worker.ErrStore, nothing}
	}
	if is.is != nil {
		err = fmt.Errorf("%w: %w", is.is, err)
	}
	return fmt.Errorf("sqlstore: %s in %s: %w; %s", doing, s.name, err, cmp.Or(is.do, sent))
}

// errUnread stands for what a driver says of a data source name, which may have the password.
var errUnread = errors.New("the driver cannot read the data source name: MySQL's is " +
	"USER:PASSWORD@tcp(HOST:3306)/DATABASE, and no URL; in PostgreSQL's URL write special " +
	"characters of the password as %40 and the like, elsewhere put it in quotes")

var noTLS = regexp.MustCompile("server refused TLS|does not support TLS|SSL is not enabled")

// advice is what to do about an error that the database did not send, and that may go away.
func advice(err error) string {
	var network *net.OpError
	var name *net.DNSError
	switch {
	case strings.Contains(err.Error(), "for caching_sha2_password"): // the driver's words
		return "without TLS this way to log in needs the server's public key, which it did not send: " +
			"connect with TLS (tls=true), or set caching_sha2_password_public_key_path on the server; "
	case noTLS.MatchString(err.Error()):
		return "the server has no TLS: turn it on, or connect without (sslmode=disable, no tls=true); "
	case errors.Is(err, errBusy):
		return "give worker ids connections of their own (sqlstore.Open), or end what keeps these; "
	case errors.Is(err, context.Canceled):
		return "the call was cancelled before the database answered; "
	case errors.Is(err, errNotSent):
		return "there was no connection within the time of this call; "
	case errors.Is(err, context.DeadlineExceeded):
		return "the database did not answer within the time of this call; "
	case errors.As(err, &network) && network.Op == "dial", errors.As(err, &name):
		return "no server answers there: start it, or check host and port; "
	case network != nil, errors.Is(err, driver.ErrBadConn), errors.Is(err, io.ErrUnexpectedEOF),
		strings.Contains(err.Error(), "invalid connection"): // MySQL's driver's words
		return "the connection was closed, by the server or on the way there; "
	}
	return ""
}
