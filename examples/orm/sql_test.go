package orm

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// insertOrders adds orders in one statement. Their ids are known before it runs: nothing
// has to be read back.
func insertOrders(ctx context.Context, db *sql.DB, ids []uid.ID, items []string) error {
	var args []any
	for i, item := range items {
		args = append(args, ids[i], item)
	}
	rows := strings.TrimPrefix(strings.Repeat(", (?, ?)", len(items)), ", ")
	_, err := db.ExecContext(ctx, "INSERT INTO orders (id, item) VALUES "+rows, args...)
	return err
}

// lastOrder returns the last order of a time, by the primary key alone.
func lastOrder(
	ctx context.Context, db *sql.DB, l uid.Layout, from, to time.Time,
) (id uid.ID, item string, err error) {
	first, err := l.MinID(from)
	if err != nil {
		return 0, "", err
	}
	last, err := l.MaxID(to)
	if err != nil {
		return 0, "", err
	}
	err = db.QueryRowContext(ctx, `SELECT id, item FROM orders
		WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1`, first, last).Scan(&id, &item)
	return id, item, err
}

func TestAKeyWithDatabaseSQL(t *testing.T) {
	db, gen := openDB(t, "mysql", mariaDB(t)), newIDs(t)
	_, err := db.Exec(`CREATE TABLE orders (
		id   BIGINT       NOT NULL PRIMARY KEY,
		item VARCHAR(100) NOT NULL)`)
	require.NoError(t, err)
	items := []string{"tea", "coffee", "cocoa"}
	ids, err := gen.AppendUIDs(nil, len(items))
	require.NoError(t, err)
	require.NoError(t, insertOrders(t.Context(), db, ids, items))

	parts, err := gen.ParseUID(ids[2])
	require.NoError(t, err)
	layout, made := gen.Layout(), parts.Time
	id, item, err := lastOrder(t.Context(), db, layout, made.Add(-time.Hour), made)
	require.NoError(t, err)
	assert.Equal(t, ids[2], id)
	assert.Equal(t, "cocoa", item)
	_, _, err = lastOrder(t.Context(), db, layout, made.Add(time.Second), made.Add(time.Hour))
	assert.ErrorIs(t, err, sql.ErrNoRows)
}
