// Command first prints an id. Its worker id comes from an SQLite file: it is the program of
// the README.
//
//	go run -C examples ./first
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	_ "modernc.org/sqlite"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	db, err := sql.Open("sqlite", sqlstore.SQLiteDSN("worker.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	store := sqlstore.SQLite(db) // or sqlstore.MySQL(db), sqlstore.Postgres(db)
	gen, err := uid.NewCached(ctx, worker.Leased(store, worker.Claim{}),
		uid.Config{Layout: uid.SnowflakeLayout()})
	if err != nil {
		return err
	}
	defer gen.Close() // gives the worker id back

	id, err := gen.GetUID()
	if err != nil {
		return err
	}
	fmt.Println(id) // 119111846907904000
	return nil
}
