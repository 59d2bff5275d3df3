package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
)

// each reads the rows of a query to their end, since an error may come last.
func each(ctx context.Context, c conn, query string, args []any, read func(answers) error) error {
	all, err := c.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer all.Close()
	for all.Next() {
		if err := read(all); err != nil {
			return err
		}
	}
	return all.Err()
}

// conn is a connection that the store has for itself until it has done one thing. Through it,
// database/sql sends no statement twice: after driver.ErrBadConn the database itself would, and
// some drivers return that although the server may have got the statement.
type conn struct {
	raw    *sql.Conn
	d      dialect
	server string // an expression: the incarnation of the database behind it
	proof  []any  // the arguments of {sound}
}

// ExecContext counts the rows that were changed.
func (c conn) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	statement, args, name := c.bind(statement, args)
	if name == "" {
		return c.raw.ExecContext(ctx, statement, args...)
	}
	all, err := c.raw.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	changed := driver.RowsAffected(0)
	for ; all.Next(); changed++ {
		if err := (answers{all, name}).Scan(new(any)); err != nil {
			return nil, err
		}
	}
	return changed, all.Err()
}

func (c conn) QueryContext(ctx context.Context, statement string, args ...any) (answers, error) {
	statement, args, name := c.bind(statement, args)
	all, err := c.raw.QueryContext(ctx, statement, args...)
	return answers{all, name}, err
}

func (c conn) QueryRowContext(ctx context.Context, statement string, args ...any) answer {
	statement, args, name := c.bind(statement, args)
	return answer{c.raw.QueryRowContext(ctx, statement, args...), name}
}

// bind returns a statement with its arguments and, in PostgreSQL, the name that its rows begin
// with. Where a driver prepares it in one message and executes it in another (lib/pq, and pgx in
// describe_exec), a pooler may have another client's executed with these arguments: without a name,
// the answer to that would be taken for this one's.
func (c conn) bind(statement string, args []any) (bound string, _ []any, name string) {
	bound, args = c.d.bind(statement, c.server, args, c.proof)
	comment, query, _ := strings.Cut(bound, "SELECT ")
	reads := comment == "" || comment == noBalance
	if !c.d.numbered || len(args) == 0 && !reads {
		return bound, args, ""
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(bound)) // cannot fail
	name = fmt.Sprintf("ringuid %x", sum.Sum64())
	if reads {
		return comment + "SELECT '" + name + "', " + query, args, name
	}
	// pgx has formats for the columns: the server refuses two of them where an answer has three.
	changes, key, returns := strings.Cut(bound, "RETURNING ")
	if !returns {
		key = "NULL"
	}
	return changes + " RETURNING '" + name + "', " + key, args, name
}

// errAnother is the error of an answer to another statement.
var errAnother = errors.New("the answer is that to another client's statement")

// named scans a row that has to begin with the statement's name. Other errors stay what they are.
func named(name string, to []any, scan func(...any) error) error {
	if name == "" {
		return scan(to...)
	}
	var is sql.NullString
	err := scan(append([]any{&is}, to...)...)
	counted := err == nil || !strings.Contains(err.Error(), "destination arguments in Scan")
	if is.String == name || err != nil && !is.Valid && counted {
		return err
	}
	return errAnother
}

// answers are the rows of a statement with a name.
type answers struct {
	*sql.Rows
	name string
}

func (a answers) Scan(to ...any) error { return named(a.name, to, a.Rows.Scan) }

// answer is the only row of a statement with a name.
type answer struct {
	*sql.Row
	name string
}

func (a answer) Scan(to ...any) error { return named(a.name, to, a.Row.Scan) }
