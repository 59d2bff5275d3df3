// Command first prints an id. Its worker id comes from an SQLite file: it is the program of
// the README.
//
//	go run -C examples ./first
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
	_ "modernc.org/sqlite"
)

func main() {
	store, err := sqlstore.Open("sqlite", "worker.db") // or "mysql", "pgx" with the DSN
	if err != nil {
		log.Panic(err) // unlike log.Fatal, this runs what is deferred
	}
	defer store.Close()
	gen, err := uid.New(context.Background(), worker.Leased(store, worker.Claim{}), uid.Config{})
	if err != nil {
		log.Panic(err)
	}
	defer gen.Close() // gives the worker id back

	id, err := gen.GetUID()
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(id) // 119111846907904000
}
