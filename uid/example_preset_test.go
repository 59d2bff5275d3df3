package uid_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Twitter's ids: the worker id is datacenter 1 and worker 10 of it.
func ExamplePreset() {
	config, err := uid.Preset("snowflake")
	if err != nil {
		log.Fatal(err)
	}
	config.Logger = slog.New(slog.DiscardHandler)
	id, err := worker.Split{5, 5}.Join(1, 10)
	if err != nil {
		log.Fatal(err)
	}
	gen, err := uid.NewDefault(context.Background(), worker.Static(id), config)
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

// Yitter with other widths, and what is wrong with some.
func ExampleYitter() {
	config, err := uid.Yitter(uid.YitterOptions{WorkerBits: 10, SeqBits: 12})
	fmt.Println(config.Layout, err)
	_, err = uid.Yitter(uid.YitterOptions{SeqBits: 2})
	fmt.Println(err)
	// Output:
	// 41|10|12 1ms since 2020-02-20T02:20:02.02Z <nil>
	// uid: invalid config: Yitter's SeqBits is 2: set it to 3 to 21
}

// Raindrop's days, with two end bits.
func ExampleRaindrop() {
	config, err := uid.Raindrop(uid.RaindropOptions{Unit: 24 * time.Hour, TailBits: 2, Tail: 3})
	fmt.Println(config.Layout, err)
	// Output: 17|4|1|39|2=3 24h since 2023-01-01T00:00:00Z <nil>
}

// The ids of a Sonyflake with MachineID 258.
func ExampleSonyflake() {
	config, err := uid.Sonyflake(uid.SonyflakeOptions{
		StartTime: time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC),
		MachineID: 258,
	})
	fmt.Println(config.Layout, err)
	// Output: 39|0|0|8|16=258 10ms since 2025-01-01T00:00:00Z <nil>
}

// An id for a record of 2022 that is imported today: no generator gave it out, or
// ever will.
func ExampleConfig_Backfill() {
	config, err := uid.Preset("yitter")
	if err != nil {
		log.Fatal(err)
	}
	ids, err := config.Backfill(time.Date(2022, time.May, 31, 0, 0, 0, 0, time.UTC), 1, 1)
	fmt.Println(ids, err)
	// Output: [294051831726144] <nil>
}

// Order numbers must differ from order numbers, not from invoice numbers.
func ExampleDefaultGenerator_Keyed() {
	gen, err := uid.NewDefault(context.Background(), worker.Static(7), uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	first, err := gen.Keyed().GetUID("order")
	if err != nil {
		log.Fatal(err)
	}
	second, _ := gen.Keyed().GetUID("order")
	fmt.Println(second > first)
	// Output: true
}

// A service that ran Baidu's UidGenerator goes on after 2024-11-20: its table of
// worker ids counts on from 5000, so that no id comes twice.
func ExampleMigrate() {
	at := time.Date(2026, time.June, 1, 0, 0, 0, 0, time.UTC)
	m, err := uid.Migrate(uid.BaiduLayout, uid.DefaultLayout, at, uid.MigrateOptions{LastWorker: 5000})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("safe:", m.Safe)
	for _, c := range m.Changes {
		fmt.Println(c.Kind, c.FirstWorker)
	}
	// Output:
	// safe: false
	// workers 5001
}
