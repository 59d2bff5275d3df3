package preset_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// Twitter's ids: the worker id is datacenter 1 and worker 10 of it.
func ExampleNamed() {
	config, err := preset.Named("twitter")
	if err != nil {
		log.Fatal(err)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	gen, err := uid.NewDefault(context.Background(), worker.Static(1<<5|10), config)
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	made, err := gen.GetUID()
	if err != nil {
		log.Fatal(err)
	}
	parts, _ := gen.ParseUID(made)
	fmt.Println(parts.Worker)
	// Output: 42
}

// Yitter with other widths.
func ExampleNamed_widths() {
	config, err := preset.Named("yitter")
	if err != nil {
		log.Fatal(err)
	}
	l := &config.Layout
	l.WorkerBits, l.SeqBits = 10, 12
	l.TimeBits = 63 - l.WorkerBits - l.SeqBits
	fmt.Println(l, l.Validate())
	// Output: 41/10/12@1ms since 2020-02-20T02:20:02.02Z <nil>
}

// A service that ran Meituan's Leaf keeps its ids, and its way to get the same worker
// id again at the same address and port.
func ExampleLeaf() {
	store := memstore.New() // for the example; a real one outlives the process
	config, err := preset.Named("leaf")
	if err != nil {
		log.Fatal(err)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	claim := preset.Leaf{Port: 8080}.Claim(worker.Claim{Logger: config.Logger})
	gen, err := uid.NewDefault(context.Background(), worker.Leased(store, claim), config)
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	fmt.Println(gen.Layout(), "worker", gen.Stats().WorkerID)
	// Output: 41/10/12@1ms since 2010-11-04T01:42:54.657Z worker 0
}
