// Command kubernetes is a service that hands out ids, on worker ids of the cluster that it
// runs in: deployment.yaml is all that it needs there.
//
//	kubectl apply -f examples/kubernetes/deployment.yaml
//	go run -C examples ./kubernetes -kubeconfig ~/.kube/config
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/k8sstore"
)

func main() {
	// SIGTERM comes when preStop is over: then no new request is on its way here.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("kubernetes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	address := flags.String("listen", ":8080", "`ADDRESS` to serve on")
	kubeconfig := flags.String("kubeconfig", "",
		"`FILE` that names a cluster; in a pod none is needed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	assigner := worker.Leased(k8sstore.InCluster())
	if *kubeconfig != "" {
		config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
		if err != nil {
			return err
		}
		assigner = worker.Leased(k8sstore.New(config, k8sstore.Options{}))
	}
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "listening on", listener.Addr())
	return serve(ctx, assigner, listener)
}

// serve serves until ctx ends, and then gives the worker id back.
func serve(ctx context.Context, assigner worker.Assigner, listener net.Listener) error {
	gen, err := uid.New(ctx, assigner, uid.Config{})
	if err != nil {
		return fmt.Errorf("no worker id: %w", err)
	}
	defer gen.Close()
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics.NewCollector("orders", gen))

	server := &http.Server{Handler: routes(gen, registry), ReadHeaderTimeout: 5 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(ending) // requests in progress first, then the generator
}

func routes(gen *uid.CachedGenerator, registry *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /id", func(w http.ResponseWriter, r *http.Request) {
		id, err := gen.GetUIDContext(r.Context())
		if err != nil {
			log.Print(err) // it names the store, which is not for clients
			http.Error(w, "no id now", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, id)
	})
	mux.HandleFunc("GET /livez", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		// What was granted is used up when the API server was down for a minute.
		if err := gen.Ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}
