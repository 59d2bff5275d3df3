package memstore_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// Two generators whose worker ids are leased, without a server: for the tests of a
// program that has one elsewhere. There the namespace is made once, by `uidbench
// worker init`; this is what that does, for any layout and store.
func Example() {
	ctx := context.Background()
	store := memstore.New()
	layout := uid.DefaultLayout
	namespace, err := worker.NewNamespace("default", layout.Need(), 0, 15, worker.DefaultWindow)
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Init(ctx, namespace, worker.InitOptions{Fresh: true}); err != nil {
		log.Fatal(err)
	}

	quiet := slog.New(slog.DiscardHandler)
	assigner := worker.Leased(store, worker.Claim{Logger: quiet})
	config := uid.Config{Layout: layout, Logger: quiet}
	a, err := uid.NewCached(ctx, assigner, config)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	b, err := uid.NewCached(ctx, assigner, config)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	fmt.Println(a.Stats().Class, a.Stats().WorkerID != b.Stats().WorkerID)
	// Output: Fenced true
}
