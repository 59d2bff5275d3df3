package uid_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// A reject-put handler of one's own: count the ids that did not fit into the ring, and keep them
// for the next refill.
func ExampleCachedConfig_rejectPut() {
	var left atomic.Int64
	config := uid.CachedConfig{
		MaxLag:       -1,   // as in the original, the ring is always kept full
		AllowRepeats: true, // these ids are for nobody
		Logger:       slog.New(slog.DiscardHandler),
		RejectPut: func(n int64, _ time.Time) (discard bool) {
			left.Add(n)
			return false
		},
	}
	gen, err := uid.NewCached(context.Background(), worker.Static(7), config)
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	if _, err := gen.AppendUIDs(nil, 200_000); err != nil { // three rings full
		log.Fatal(err)
	}
	fmt.Println("some did not fit:", left.Load() > 0)
	// Output: some did not fit: true
}
