package metrics_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringuid/ringuid/metrics"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// The metrics of a generator, in the registry that promhttp serves. Unregister them
// before Close: a closed generator is not ready, for which an alert fires.
func ExampleNewCollector() {
	gen, err := uid.New(context.Background(), worker.Static(7),
		uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	registry := prometheus.NewRegistry() // or prometheus.DefaultRegisterer
	collector := metrics.NewCollector("orders", gen)
	registry.MustRegister(collector)
	defer registry.Unregister(collector)

	if _, err := gen.AppendUIDs(nil, 5); err != nil {
		log.Fatal(err)
	}
	families, err := registry.Gather() // as a scrape does
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "ringuid_ids_total" {
			fmt.Println(f.GetName(), f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	// Output: ringuid_ids_total 5
}
