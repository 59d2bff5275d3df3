package bench_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func ExampleRun() {
	ctx := context.Background()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	// These are ids that nobody keeps, so they may repeat.
	g, err := uid.New(ctx, worker.Static(1), uid.Config{AllowRepeats: true, Logger: quiet})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Run closes g.
	report, err := bench.Run(ctx, bench.Config{Generator: g, Count: 1_000_000, Verify: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d ids, %d duplicates\n", report.IDs, *report.Duplicates)
	// bench.WriteText(os.Stdout, report) prints how fast it was.

	// Output: 1000000 ids, 0 duplicates
}
