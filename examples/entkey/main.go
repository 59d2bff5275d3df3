// Command entkey stores orders with ent: a hook of their schema sets the keys.
//
//	go run -C examples ./entkey
//	go run -C examples ./entkey -driver mysql -dsn 'user:password@tcp(127.0.0.1:3306)/shop'
//	go run -C examples ./entkey -driver pgx -dsn 'postgres://user:password@127.0.0.1:5432/shop'
//
// What to copy is ent/schema; ent generates the rest of the package ent.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/entkey/ent"
	"github.com/ringuid/ringuid/examples/entkey/ent/order"
	_ "github.com/ringuid/ringuid/examples/entkey/ent/runtime" // the schema's hooks
	"github.com/ringuid/ringuid/examples/entkey/ent/schema"
	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("entkey", flag.ContinueOnError), args, "sqlite", "mysql", "pgx")
	if err != nil {
		return err
	}
	db, client, err := open(d)
	if err != nil {
		return err
	}
	defer client.Close() // closes db

	store := d.Store(db) // sqlstore.Postgres(db), say
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()
	ctx = schema.WithIDs(ctx, gen)

	if err := client.Schema.Create(ctx); err != nil {
		return err
	}
	orders, err := client.Order.CreateBulk(
		client.Order.Create().SetItem("tea"),
		client.Order.Create().SetItem("coffee"),
	).Save(ctx)
	if err != nil {
		return err
	}
	another, err := client.Order.Create().SetItem("green tea").SetReplaces(orders[0].ID).Save(ctx)
	if err != nil {
		return err
	}
	ids := []int64{orders[0].ID, orders[1].ID, another.ID}
	stored, err := client.Order.Query().Where(order.IDIn(ids...)).Order(order.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, o := range stored {
		fmt.Fprint(stdout, uid.ID(o.ID), " ", o.Item)
		if o.Replaces != nil {
			fmt.Fprint(stdout, " instead of ", uid.ID(*o.Replaces))
		}
		fmt.Fprintln(stdout)
	}
	return nil
}

// open returns a database and ent's client on it.
func open(d demo.Database) (*sql.DB, *ent.Client, error) {
	dsn, name := d.DSN, dialect.MySQL
	switch d.Driver {
	case "pgx":
		name = dialect.Postgres
	case "sqlite":
		name = dialect.SQLite
		sep := "?"
		if strings.Contains(dsn, sep) {
			sep = "&"
		}
		dsn += sep + "_pragma=foreign_keys(1)" // ent creates no tables without
	}
	db, err := sql.Open(d.Driver, dsn)
	if err != nil {
		return nil, nil, err
	}
	return db, ent.NewClient(ent.Driver(entsql.OpenDB(name, db))), nil
}
