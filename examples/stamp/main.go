// Command stamp is an HTTP server that gives each request an id, and logs it with
// log/slog.
//
//	go run -C examples ./stamp
//	curl -i http://127.0.0.1:8080/
//	curl -i http://127.0.0.1:8080/readyz
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
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
	f := flag.NewFlagSet("stamp", flag.ContinueOnError)
	addr := f.String("addr", "127.0.0.1:8080", "`address` to listen on")
	d, err := demo.ParseDatabase(f, args, "sqlite", "mysql", "pgx")
	if err != nil {
		return err
	}
	db, err := sql.Open(d.Driver, d.DSN)
	if err != nil {
		return err
	}
	defer db.Close()
	store := d.Store(db) // sqlstore.MySQL(db), say
	if err := store.CreateTable(ctx); err != nil {
		return err
	}
	log := slog.New(withID{slog.NewJSONHandler(stdout, nil)})
	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{Logger: log})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return errors.Join(err, gen.Close())
	}
	log.Info("listening", "url", fmt.Sprint("http://", l.Addr()))
	mux := http.NewServeMux()
	mux.Handle("/", stamp(gen, log, greeter(log)))
	mux.Handle("GET /readyz", readiness(gen))
	return serve(ctx, l, gen, mux)
}

// greeter is any handler: it need not know where ids come from.
func greeter(log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, _ := requestID(r.Context())
		log.InfoContext(r.Context(), "greeting")
		fmt.Fprintf(w, "Hello, request %v\n", id)
	})
}

// readiness answers a probe: 200 while the generator has ids, else 503 and why not.
func readiness(gen uid.Generator) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := gen.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
}

// serve answers requests until ctx ends, or the worker id is lost for good. Then it takes
// no more, waits for those that have begun, and closes the generator last: they may still
// need ids.
func serve(ctx context.Context, l net.Listener, gen uid.Generator, h http.Handler) error {
	const patience = 10 * time.Second
	server := &http.Server{Handler: h, ReadHeaderTimeout: patience}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return errors.Join(err, gen.Close())
	case <-gen.Done():
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return errors.Join(server.Shutdown(limited), gen.Close())
}
