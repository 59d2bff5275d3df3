// Command datacentres prints an id of a process in one of four datacentres, each of which
// has a database of its own, and a quarter of 1024 worker ids.
//
//	DATACENTRE=2 DATABASE_URL=postgres://user:password@127.0.0.1:5432/shop go run -C examples ./datacentres
package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// datacentres says which bits of a worker id are the datacentre's: two of ten.
var datacentres = worker.Split{2, 8}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, stdout io.Writer) error {
	here, err := strconv.ParseInt(os.Getenv("DATACENTRE"), 10, 64)
	if err != nil {
		return fmt.Errorf("DATACENTRE: %w", err)
	}
	first, err := datacentres.Join(here, 0)
	if err != nil {
		return err
	}
	last, err := datacentres.Join(here, 255)
	if err != nil {
		return err
	}
	db, err := sql.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	store := sqlstore.Postgres(db)
	ns, err := worker.NewNamespace("default", uid.DefaultLayout.Need(), first, last, worker.DefaultWindow)
	if err != nil {
		return err
	}
	// What is there stays as it is, and is worker.ErrNamespace if it has another range;
	// what is made begins a window from now.
	if err := store.Init(ctx, ns, worker.InitOptions{Earlier: worker.DefaultWindow, Slack: worker.DefaultSlack}); err != nil {
		return err
	}
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	gen, err := uid.NewCached(starting, worker.Leased(store, worker.Claim{First: first, Last: last}), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()
	id, err := gen.GetUID()
	if err != nil {
		return err
	}
	parts, err := gen.ParseUID(id)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, id, "of worker", parts.Worker, "in datacentre", here)
	return nil
}
