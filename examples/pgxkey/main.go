// Command pgxkey stores orders with pgx's own interface: a batch goes by COPY, and ids are
// arguments and columns like any other.
//
//	DATABASE_URL=postgres://user:password@127.0.0.1:5432/shop go run -C examples ./pgxkey
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

type order struct {
	ID       uid.ID
	Replaces *uid.ID // nil is NULL
	Item     string
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, stdout io.Writer) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()

	// The worker id comes through the same pool, which sqlstore sees as a *sql.DB.
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	store := sqlstore.Postgres(db)
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()

	_, err = pool.Exec(ctx, `CREATE TABLE IF NOT EXISTS orders (
		id       BIGINT NOT NULL PRIMARY KEY,
		replaces BIGINT,
		item     TEXT   NOT NULL)`)
	if err != nil {
		return err
	}
	ids, err := gen.AppendUIDs(nil, 3)
	if err != nil {
		return err
	}
	orders := []order{{ids[0], nil, "tea"}, {ids[1], nil, "coffee"}, {ids[2], &ids[0], "green tea"}}
	_, err = pool.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"id", "replaces", "item"},
		pgx.CopyFromSlice(len(orders), func(i int) ([]any, error) {
			return []any{orders[i].ID, orders[i].Replaces, orders[i].Item}, nil
		}))
	if err != nil {
		return err
	}
	rows, err := pool.Query(ctx, "SELECT id, replaces, item FROM orders WHERE id = ANY($1) ORDER BY id", ids)
	if err != nil {
		return err
	}
	stored, err := pgx.CollectRows(rows, pgx.RowToStructByPos[order])
	if err != nil {
		return err
	}
	for _, o := range stored {
		fmt.Fprint(stdout, o.ID, " ", o.Item)
		if o.Replaces != nil {
			fmt.Fprint(stdout, " instead of ", *o.Replaces)
		}
		fmt.Fprintln(stdout)
	}
	return nil
}
