package uid_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// One goroutine that needs many ids, one after the other, has a stream of its own.
func ExampleStream_All() {
	gen, err := uid.NewCached(context.Background(), worker.Static(7),
		uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	var last uid.ID
	taken, grow := 0, true
	for id, err := range gen.Stream().All() {
		if err != nil {
			log.Fatal(err)
		}
		grow = grow && id > last
		last = id
		if taken++; taken == 1000 {
			break
		}
	}
	fmt.Println(taken, grow)
	// Output: 1000 true
}
