package bench_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// How large must the ring be, for how many goroutines? Eight combinations, of which
// each is run five times for 100 ms.
func ExampleSweep() {
	ctx := context.Background()
	report, err := bench.Sweep(ctx, bench.SweepConfig{
		Goroutines:  []int{1, 2},
		BoostPowers: []int{1, 2, 3, 4},
		New: func(c bench.Combination) (bench.Generator, error) {
			return uid.NewCached(ctx, worker.Static(1), uid.Config{
				Layout: c.Layout, BoostPower: c.BoostPower, PaddingFactor: c.PaddingFactor, AllowRepeats: true,
			})
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = bench.WriteSweepText(os.Stdout, report)
}
