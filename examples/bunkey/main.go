// Command bunkey stores orders with bun: a BeforeAppendModel hook sets the keys.
//
//	go run -C examples ./bunkey
//	go run -C examples ./bunkey -driver pgx -dsn 'postgres://user:password@127.0.0.1:5432/shop'
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"github.com/uptrace/bun/schema"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// order has no autoincrement in its tag: bun would leave the key to the database.
type order struct {
	bun.BaseModel `bun:"table:orders"`

	ID       uid.ID  `bun:",pk"`
	Replaces *uid.ID // nil is NULL
	Item     string  `bun:",notnull"`
}

// generator is where a context keeps the generator of a model's ids.
type generator struct{}

var errNoIDs = errors.New("no generator of ids in the context")

// BeforeAppendModel takes an id for a row that is to be inserted and has none. bun calls
// it for each row of a batch.
func (o *order) BeforeAppendModel(ctx context.Context, query schema.Query) error {
	if _, inserts := query.(*bun.InsertQuery); !inserts || o.ID != 0 {
		return nil
	}
	gen, ok := ctx.Value(generator{}).(uid.Generator)
	if !ok {
		return errNoIDs
	}
	id, err := gen.GetUIDContext(ctx)
	o.ID = id
	return err
}

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("bunkey", flag.ContinueOnError), args, "sqlite", "pgx")
	if err != nil {
		return err
	}
	plain, err := sql.Open(d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer plain.Close()
	db := bun.NewDB(plain, sqlitedialect.New())
	if d.Driver == "pgx" {
		db = bun.NewDB(plain, pgdialect.New())
	}

	store := d.Store(plain) // sqlstore.Postgres(plain), say
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()
	ctx = context.WithValue(ctx, generator{}, gen)

	if _, err := db.NewCreateTable().Model((*order)(nil)).IfNotExists().Exec(ctx); err != nil {
		return err
	}
	orders := []*order{{Item: "tea"}, {Item: "coffee"}}
	if _, err := db.NewInsert().Model(&orders).Exec(ctx); err != nil {
		return err
	}
	another := &order{Item: "green tea", Replaces: &orders[0].ID}
	if _, err := db.NewInsert().Model(another).Exec(ctx); err != nil {
		return err
	}
	var stored []order
	ids := []uid.ID{orders[0].ID, orders[1].ID, another.ID}
	if err := db.NewSelect().Model(&stored).Where("id IN (?)", bun.In(ids)).Order("id").Scan(ctx); err != nil {
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
