package memstore_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/memstore"
)

// Two generators whose worker ids are leased, without a server: for the tests of a
// program that has one elsewhere.
func Example() {
	ctx := context.Background()
	quiet := slog.New(slog.DiscardHandler)
	assigner := worker.Leased(memstore.New(), worker.Claim{
		Count:  16,
		Slack:  time.Millisecond, // there is only one clock, so the first id need not wait for others
		Logger: quiet,
	})
	config := uid.Config{Logger: quiet}
	a, err := uid.New(ctx, assigner, config)
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	b, err := uid.New(ctx, assigner, config)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	fmt.Println(a.Stats().Class, a.Stats().WorkerID != b.Stats().WorkerID)
	// Output: Fenced true
}
