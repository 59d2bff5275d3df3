package uid_test

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"fmt"
	"log"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/ringuid/ringuid/worker/sqlstore"
)

// A worker id from a table, a generator that keeps a ring of ids full, an id.
func Example() {
	// The driver is imported for its name: _ "github.com/go-sql-driver/mysql"
	store, err := sqlstore.Open("mysql", "uid:secret@tcp(127.0.0.1:3306)/uid")
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	gen, err := uid.New(context.Background(), worker.Leased(store, worker.Claim{}), uid.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	a, err := gen.GetUID()
	if err != nil {
		log.Fatal(err)
	}
	b, _ := gen.GetUID()
	fmt.Println(a > 0, b > a) // true true
}

// For tests: a fixed worker id and a fixed clock give the same ids each time.
func ExampleConfig_deterministic() {
	noon := uid.SnowflakeLayout().Epoch.Add((181*24 + 12) * time.Hour)
	gen, err := uid.New(context.Background(), worker.Static(7), uid.Config{
		Now:          func() time.Time { return noon },
		AllowRepeats: true, // the clock stands still
		Logger:       slog.New(slog.DiscardHandler),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	for range 2 {
		id, err := gen.GetUID()
		if err != nil {
			log.Fatal(err)
		}
		parts, _ := gen.ParseUID(id)
		fmt.Println(id, parts.Time.Format(time.TimeOnly), parts.Worker, parts.Seq)
	}
	// Output:
	// 65773397606428672 12:00:00 7 0
	// 65773397606428673 12:00:00 7 1
}

// A reject-take handler of one's own: count the takes that find no id, and let them fail at once.
func ExampleConfig_rejectTake() {
	var empty atomic.Int64
	config := uid.Config{
		MaxAhead: time.Second, // do not run further ahead of the clock than this
		Logger:   slog.New(slog.DiscardHandler),
		RejectTake: func(reason error) error {
			empty.Add(1)
			return reason
		},
	}
	gen, err := uid.New(context.Background(), worker.Static(7), config)
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	_, err = gen.AppendUIDs(nil, 1_000_000) // far more than two seconds hold
	fmt.Println(errors.Is(err, uid.ErrRingEmpty), empty.Load())
	// Output: true 1
}

// The statistics as JSON at /debug/vars, without another package.
func ExampleStats() {
	gen, err := uid.New(context.Background(), worker.Static(7),
		uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	expvar.Publish("ringuid", expvar.Func(func() any { return gen.Stats() }))

	var stats struct {
		WorkerID int64
		Class    string
		RingSize int64
	}
	if err := json.Unmarshal([]byte(expvar.Get("ringuid").String()), &stats); err != nil {
		log.Fatal(err)
	}
	fmt.Println(stats.WorkerID, stats.Class, stats.RingSize)
	// Output: 7 Unfenced 32768
}

// One goroutine that needs many ids, one after the other, has a stream of its own.
func ExampleCachedGenerator_Stream() {
	gen, err := uid.New(context.Background(), worker.Static(7),
		uid.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()

	stream := gen.Stream()
	var last uid.ID
	grow := true
	for range 1000 {
		id, err := stream.GetUID()
		if err != nil {
			log.Fatal(err)
		}
		grow = grow && id > last
		last = id
	}
	fmt.Println(grow)
	// Output: true
}

// Order numbers must differ from order numbers, not from invoice numbers.
func ExampleDefaultGenerator_GetUIDFor() {
	gen, err := uid.NewDefault(context.Background(), worker.Static(7),
		uid.DefaultConfig{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		log.Fatal(err)
	}
	defer gen.Close()
	first, err := gen.GetUIDFor(context.Background(), "order")
	if err != nil {
		log.Fatal(err)
	}
	second, _ := gen.GetUIDFor(context.Background(), "order")
	fmt.Println(second > first)
	// Output: true
}
