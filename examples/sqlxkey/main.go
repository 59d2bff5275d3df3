// Command sqlxkey stores orders with sqlx: an id is a field like any other.
//
//	go run -C examples ./sqlxkey
//	go run -C examples ./sqlxkey -driver pgx -dsn 'postgres://user:password@127.0.0.1:5432/shop'
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

const schema = `CREATE TABLE IF NOT EXISTS orders (
	id       BIGINT       NOT NULL PRIMARY KEY,
	replaces BIGINT,
	item     VARCHAR(100) NOT NULL)`

type order struct {
	ID       uid.ID  `db:"id"`
	Replaces *uid.ID `db:"replaces"` // nil is NULL: an id is never 0 by accident
	Item     string  `db:"item"`
}

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("sqlxkey", flag.ContinueOnError), args, "sqlite", "mysql", "pgx")
	if err != nil {
		return err
	}
	db, err := sqlx.ConnectContext(ctx, d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return err
	}

	store := d.Store(db.DB) // sqlstore.MySQL(db.DB), say
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
	err = insert(ctx, db,
		order{ID: ids[0], Item: "tea"},
		order{ID: ids[1], Item: "coffee"},
		order{ID: ids[2], Item: "green tea", Replaces: &ids[0]})
	if err != nil {
		return err
	}
	orders, err := byID(ctx, db, ids...)
	if err != nil {
		return err
	}
	for _, o := range orders {
		fmt.Fprint(stdout, o.ID, " ", o.Item)
		if o.Replaces != nil {
			fmt.Fprint(stdout, " instead of ", *o.Replaces)
		}
		fmt.Fprintln(stdout)
	}
	return nil
}

// insert adds orders in one statement.
func insert(ctx context.Context, db *sqlx.DB, orders ...order) error {
	_, err := db.NamedExecContext(ctx,
		`INSERT INTO orders (id, replaces, item) VALUES (:id, :replaces, :item)`, orders)
	return err
}

// byID returns the orders with the given ids, the oldest first.
func byID(ctx context.Context, db *sqlx.DB, ids ...uid.ID) ([]order, error) {
	query, args, err := sqlx.In(`SELECT * FROM orders WHERE id IN (?) ORDER BY id`, ids)
	if err != nil {
		return nil, err
	}
	var orders []order
	err = db.SelectContext(ctx, &orders, db.Rebind(query), args...)
	return orders, err
}
