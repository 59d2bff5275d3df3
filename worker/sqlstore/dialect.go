package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strings"
	"time"
)

// dialect is what differs from one database to another. In statements a question mark is an
// argument, and {server} is the incarnation.
type dialect struct {
	faults
	name     string
	numbered bool // arguments are $1, $2 and so on

	// of WORKER_NODE
	nodes  string // the schema
	insert string // takes host name, port, type, launch date
	list   string // takes a limit
	add    func(ctx context.Context, h handle, insert string, args ...any) (key int64, err error)
	// keys returns the highest key given out, even along with the error of a missing table.
	keys    func(ctx context.Context, h handle) (highest int64, err error)
	counter string // the statement that sets the key counter; %d is the next key

	// of uid_lease and uid_lease_head, which pool.go describes
	leases string        // the schema
	server string        // an expression; empty: it comes from the file
	now    string        // an expression: milliseconds of the database's clock
	div    string        // divides integers
	most   string        // the function that returns the larger of two numbers
	head   string        // where a view finds the head; takes its layout twice
	ignore string        // ends an INSERT that leaves existing rows alone
	lasts  string        // a condition that is true, and makes the statement wait for the disk
	update string        // begins a write to a row w beside its head h; takes the layout
	from   string        // names h after the SET clause, if update has not
	clocks time.Duration // see store.View

	// check reads the settings that decide whether acknowledged writes are kept. The server is
	// lossy if another may take over without them. The error wraps worker.ErrStore if this server
	// alone may lose them, or cannot be written to, whether for leases or for Disposable.
	check func(ctx context.Context, h handle, leases bool) (lossy bool, err error)
}

//go:embed schema
var schemas embed.FS

// schema returns a file of statements, each ended by a semicolon and a newline.
func schema(name string) string {
	text, _ := schemas.ReadFile("schema/" + name + ".sql") // it is embedded
	return string(text)
}

// bind replaces the marks of a statement by this database's placeholders and the incarnation.
func (d dialect) bind(statement, server string) string {
	statement = strings.ReplaceAll(statement, "{server}", server)
	if !d.numbered {
		return statement
	}
	var b strings.Builder
	for i, part := range strings.Split(statement, "?") {
		if i > 0 {
			fmt.Fprint(&b, "$", i)
		}
		b.WriteString(part)
	}
	return b.String()
}

// addReturning takes the key from the row that the INSERT returns. That row comes before the
// commit, which may still fail: the answer counts only when it has been read to its end and, on
// a file, the transaction has been committed. If there is no row, the key is 0.
func addReturning(ctx context.Context, h handle, insert string, args ...any) (int64, error) {
	var key sql.NullInt64
	err := each(ctx, h, insert, args, func(rows *sql.Rows) error { return rows.Scan(&key) })
	return key.Int64, err
}
