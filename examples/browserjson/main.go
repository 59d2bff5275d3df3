// Command browserjson serves a page whose script gets ids as JSON, shows them, and
// sends one back.
//
//	go run -C examples ./browserjson
//
// JavaScript reads a bare number as a float, which has 53 bits: most ids come out
// as another one. A uid.ID is therefore a quoted decimal in JSON, and comes back
// whole. The page shows both.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	_ "modernc.org/sqlite"

	"github.com/ringuid/ringuid/examples/internal/demo"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func main() { demo.Main(run) }

func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("browserjson", flag.ContinueOnError)
	addr := f.String("addr", "127.0.0.1:8080", "`address` to listen on")
	d, err := demo.ParseDatabase(f, args, "sqlite")
	if err != nil {
		return err
	}
	db, err := sql.Open(d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	store := d.Store(db)
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
	if err != nil {
		return err
	}
	defer gen.Close()
	shop, err := newShop(gen, "tea", "coffee", "cocoa")
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "open http://%s\n", l.Addr())
	server := &http.Server{Handler: shop.handler(), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
