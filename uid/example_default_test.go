package uid_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// An id for a record of 2022 that is imported today: no generator gave it out, or
// ever will.
func ExampleConfig_Backfill() {
	config, err := preset.Named("yitter")
	if err != nil {
		log.Fatal(err)
	}
	ids, err := config.Backfill(time.Date(2022, time.May, 31, 0, 0, 0, 0, time.UTC), 1, 1)
	fmt.Println(ids, err)
	// Output: [294051831726144] <nil>
}

// Order numbers must differ from order numbers, not from invoice numbers.
func ExampleDefaultGenerator_Keyed() {
	gen, err := uid.NewDefault(context.Background(), worker.Static(7),
		uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	first, err := gen.Keyed().GetUID("order")
	if err != nil {
		log.Fatal(err)
	}
	orders := gen.Keyed().Key("order") // found once, for who takes many
	second, _ := orders.GetUID()
	fmt.Println(second > first)
	// Output: true
}
