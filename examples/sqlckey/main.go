// Command sqlckey stores orders with the code that sqlc makes of SQL. sqlc.yaml
// says that the column orders.id is a uid.ID in Go; that is all.
//
//	go run -C examples ./sqlckey
//	go run -C examples ./sqlckey -driver pgx -dsn 'postgres://user:password@127.0.0.1:5432/shop'
//
// The SQL is PostgreSQL's, and SQLite understands it.
package main

//go:generate go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.30.0 generate

import (
	"context"
	"database/sql"
	_ "embed"
	"flag"
	"fmt"
	"io"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/examples/sqlckey/orders"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

//go:embed schema.sql
var schema string

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("sqlckey", flag.ContinueOnError), args, "sqlite", "pgx")
	if err != nil {
		return err
	}
	db, err := sql.Open(d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return err
	}

	store := d.Store(db) // sqlstore.Postgres(db), say
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()

	ids, err := gen.AppendUIDs(nil, 3)
	if err != nil {
		return err
	}
	queries := orders.New(db)
	for i, item := range []string{"tea", "coffee", "cocoa"} {
		if err := queries.CreateOrder(ctx, orders.CreateOrderParams{ID: ids[i], Item: item}); err != nil {
			return err
		}
	}
	// The ids of a batch grow.
	list, err := queries.ListOrders(ctx, orders.ListOrdersParams{First: ids[0], Last: ids[2]})
	if err != nil {
		return err
	}
	for _, o := range list {
		fmt.Fprintln(stdout, o.ID, o.Item)
	}
	return nil
}
