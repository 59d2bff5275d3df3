package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// dialect is what differs from one database to another. In statements a question mark is an
// argument, {server} is the incarnation, and {sound} is d.sound.
type dialect struct {
	faults
	name     string
	numbered bool // arguments are $1, $2 and so on

	// of WORKER_NODE
	nodes  string // the schema
	insert string // takes host name, port, type, launch date
	list   string // takes a limit
	add    func(ctx context.Context, c conn, insert string, args ...any) (key int64, err error)
	keys   func(ctx context.Context, c conn) (keys, error)

	// of uid_lease and uid_lease_head, which pool.go describes
	leases string        // the schema
	grant  string        // a query for the GRANT that its user needs; empty: there is none
	server string        // an expression; empty: it comes from the file
	now    string        // an expression: milliseconds of the database's clock
	div    string        // divides integers
	most   string        // the function that returns the larger of two numbers
	head   string        // where a view finds the head; takes its layout twice
	ignore string        // ends an INSERT that leaves existing rows alone
	update string        // begins a write to a row w beside its head h; takes the layout
	from   string        // names h after the SET clause, if update has not
	clocks time.Duration // see store.View

	// version is a query for what the server says of itself, and strangers finds in it another
	// product, which answers as many servers behind one address.
	version   string
	strangers *regexp.Regexp

	// check reads the settings that decide whether acknowledged writes are kept. The server is
	// lossy if another may take over without them. The error wraps worker.ErrStore if this server
	// alone may lose them, or cannot be written to, whether for leases or for Disposable.
	check func(ctx context.Context, c conn, leases bool) (lossy bool, err error)

	// session is a query for what examine looks at: what is wrong with a session, the time in
	// microseconds, the place of its tables, and its settings.
	session string
	// moved is a query for a name, and how often the session changed its place. The first session that
	// is used must not have: others are compared with it.
	moved string
	clock string   // a query for the time again, which must have changed, unless it was 0
	end   []string // statements that end a session
	alone string   // a statement that fails in a transaction
	// sound is a condition of a statement: true, or an error if its transaction began before that
	// time, or its place is another. They are its arguments, the last of the statement. Behind a
	// pooler the statement may meet another session than the query. It makes a write durable.
	sound string
}

// keys are those of WORKER_NODE.
type keys struct {
	highest int64  // none above it was given out, also where the table is missing
	last    int64  // the one that was counted last; in PostgreSQL a row may have a higher one
	set     string // the statement that sets the counter; %d is the next key
}

// stranger returns an error that wraps worker.ErrStore if the server is another product. Each of
// its nodes has a clock and a start of its own, so no view is of the server that the last was of.
func (d dialect) stranger(ctx context.Context, c conn) error {
	if d.version == "" {
		return nil
	}
	var version string
	_ = c.QueryRowContext(ctx, d.version).Scan(&version) // an error is that of the next query, too
	is := d.strangers.FindString(version)
	if is == "" {
		return nil
	}
	return unfit("this is %s, not %s (it says %q): it is many servers behind one address, each with "+
		"a clock and a start of its own: keep worker ids in another store",
		strings.ReplaceAll(is, "-YB-", "YugabyteDB"), d.name, version)
}

//go:embed schema
var schemas embed.FS

// schema returns a file of statements, each ended by a semicolon and a newline.
func schema(name string) string {
	text, _ := schemas.ReadFile("schema/" + name + ".sql") // it is embedded
	return string(text)
}

// bind replaces the marks of a statement by this database's placeholders and by expressions.
func (d dialect) bind(statement, server string, args, proof []any) (string, []any) {
	if strings.Contains(statement, "{sound}") {
		args = slices.Concat(args, proof)
	}
	statement = strings.NewReplacer("{server}", server, "{sound}", d.sound).Replace(statement)
	if !d.numbered {
		return statement, args
	}
	var b strings.Builder
	for i, part := range strings.Split(statement, "?") {
		if i > 0 {
			fmt.Fprint(&b, "$", i)
		}
		b.WriteString(part)
	}
	return b.String(), args
}

// addReturning takes the key from the row that the INSERT returns. That row comes before the
// commit, which may still fail: the answer counts only when it has been read to its end and, on
// a file, the transaction has been committed. If there is no row, the key is 0.
func addReturning(ctx context.Context, c conn, insert string, args ...any) (int64, error) {
	var key sql.NullInt64
	err := each(ctx, c, insert, args, func(a answers) error { return a.Scan(&key) })
	return key.Int64, err
}
