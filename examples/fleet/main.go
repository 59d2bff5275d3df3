// Command fleet is a service of which any number of processes run, on any number of
// machines: each has a worker id of its own as long as it lives, and then others get it.
//
//	DATABASE_URL=postgres://user:password@127.0.0.1:5432/shop go run -C examples ./fleet
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, stdout io.Writer) error {
	store, err := sqlstore.Open("pgx", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer store.Close()
	host, err := os.Hostname() // for people: who has which worker id
	if err != nil {
		return err
	}
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	gen, err := uid.New(starting, worker.Leased(store, worker.Claim{Owner: host}), uid.Config{})
	if err != nil {
		return err
	}
	return errors.Join(serve(ctx, gen, stdout), gen.Close())
}

// serve hands out ids until ctx ends.
func serve(ctx context.Context, gen *uid.CachedGenerator, stdout io.Writer) error {
	l, err := net.Listen("tcp", cmp.Or(os.Getenv("ADDR"), ":8080"))
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "listening on", l.Addr())
	server := &http.Server{Handler: routes(gen), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(stopping)
}

func routes(gen *uid.CachedGenerator) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics.NewCollector("orders", gen))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /id", func(w http.ResponseWriter, _ *http.Request) {
		id, err := gen.GetUID() // fails when no id has come for five seconds
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, id)
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := gen.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	return mux
}
