package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
)

type order struct {
	id   uid.ID
	item string
}

// table is the table of orders.
type table struct {
	db      *sql.DB
	dollars bool // PostgreSQL's $1 and $2 for parameters, instead of ? and ?
}

func (t table) create(ctx context.Context) error {
	_, err := t.db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS orders (
		id   BIGINT       NOT NULL PRIMARY KEY,
		item VARCHAR(100) NOT NULL)`)
	return err
}

// insert adds orders in one statement, and takes all their ids at once. The ids
// are known before the statement runs: nothing has to be read back.
func (t table) insert(ctx context.Context, gen *uid.CachedGenerator, items ...string) ([]uid.ID, error) {
	ids, err := gen.AppendUIDs(nil, len(items))
	if err != nil {
		return nil, err
	}
	var rows []string
	var args []any
	for i, item := range items {
		rows = append(rows, fmt.Sprintf("(%s, %s)", t.param(2*i+1), t.param(2*i+2)))
		args = append(args, ids[i], item)
	}
	_, err = t.db.ExecContext(ctx, "INSERT INTO orders (id, item) VALUES "+strings.Join(rows, ", "), args...)
	return ids, err
}

// between returns the orders whose ids were made from one time to another, by the
// primary key alone. Both bounds are as coarse as the layout's ticks.
func (t table) between(ctx context.Context, l uid.Layout, from, to time.Time) ([]order, error) {
	first, err := l.MinID(from)
	if err != nil {
		return nil, err
	}
	last, err := l.MaxID(to)
	if err != nil {
		return nil, err
	}
	rows, err := t.db.QueryContext(ctx, fmt.Sprintf("SELECT id, item FROM orders WHERE id BETWEEN %s AND %s ORDER BY id",
		t.param(1), t.param(2)), first, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var orders []order
	for rows.Next() {
		var o order
		if err := rows.Scan(&o.id, &o.item); err != nil {
			return nil, err
		}
		orders = append(orders, o)
	}
	return orders, rows.Err()
}

// param is the nth parameter of a statement.
func (t table) param(n int) string {
	if t.dollars {
		return fmt.Sprintf("$%d", n)
	}
	return "?"
}
