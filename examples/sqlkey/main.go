// Command sqlkey stores orders whose BIGINT primary key is an id, with
// database/sql alone. The worker id comes from the same database.
//
//	go run -C examples ./sqlkey
//	go run -C examples ./sqlkey -driver mysql -dsn 'user:password@tcp(127.0.0.1:3306)/shop'
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	d, err := demo.ParseDatabase(flag.NewFlagSet("sqlkey", flag.ContinueOnError), args, "sqlite", "mysql", "pgx")
	if err != nil {
		return err
	}
	db, err := sql.Open(d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer db.Close()

	// A row of WORKER_NODE per start is the worker id: sqlstore.MySQL(db), say.
	store := d.Store(db)
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()

	orders := table{db: db, dollars: d.Driver == "pgx"}
	if err := orders.create(ctx); err != nil {
		return err
	}
	ids, err := orders.insert(ctx, gen, "tea", "coffee", "cocoa")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "inserted", ids)

	now := time.Now()
	recent, err := orders.between(ctx, uid.DefaultLayout, now.Add(-time.Hour), now.Add(time.Minute))
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "of the last hour:")
	for _, o := range recent {
		parts, err := gen.ParseUID(o.id)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "  %v  %-6s  made at %s by worker %d\n", o.id, o.item, parts.Time.Format(time.TimeOnly), parts.Worker)
	}
	return nil
}
