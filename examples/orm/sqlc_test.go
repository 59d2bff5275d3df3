package orm

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/uid"
)

// What follows, up to the test, is as sqlc 1.30.0 writes it.

type DBTX interface {
	ExecContext(context.Context, string, ...interface{}) (sql.Result, error)
	QueryRowContext(context.Context, string, ...interface{}) *sql.Row
}

type Queries struct {
	db DBTX
}

const createInvoice = `-- name: CreateInvoice :exec
INSERT INTO invoices (id, customer) VALUES ($1, $2)
`

type CreateInvoiceParams struct {
	ID       uid.ID
	Customer string
}

func (q *Queries) CreateInvoice(ctx context.Context, arg CreateInvoiceParams) error {
	_, err := q.db.ExecContext(ctx, createInvoice, arg.ID, arg.Customer)
	return err
}

const getInvoice = `-- name: GetInvoice :one
SELECT id, customer FROM invoices WHERE id = $1
`

type Invoice struct {
	ID       uid.ID
	Customer string
}

func (q *Queries) GetInvoice(ctx context.Context, id uid.ID) (Invoice, error) {
	row := q.db.QueryRowContext(ctx, getInvoice, id)
	var i Invoice
	err := row.Scan(&i.ID, &i.Customer)
	return i, err
}

func TestAKeyWithSqlc(t *testing.T) {
	db := openDB(t, "sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db")))
	_, err := db.Exec("CREATE TABLE invoices (id BIGINT PRIMARY KEY, customer TEXT NOT NULL)")
	require.NoError(t, err)
	id, err := newIDs(t).GetUID()
	require.NoError(t, err)
	queries := &Queries{db: db}
	made := CreateInvoiceParams{ID: id, Customer: "Ada"}
	require.NoError(t, queries.CreateInvoice(t.Context(), made))
	found, err := queries.GetInvoice(t.Context(), id)
	require.NoError(t, err)
	assert.Equal(t, Invoice(made), found)
}
