package sweep_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// How large must the ring be, for how many goroutines? Eight combinations, of which
// each is run five times for 100 ms.
func ExampleRun() {
	ctx := context.Background()
	report, err := sweep.Run(ctx, sweep.Config{
		Goroutines:  []int{1, 2},
		BoostPowers: []int{1, 2, 3, 4},
		New: func(c sweep.Combination) (uid.Generator, error) {
			return uid.NewCached(ctx, worker.Static(1), uid.Config{
				Layout: c.Layout, BoostPower: c.BoostPower, PaddingFactor: c.PaddingFactor, AllowRepeats: true,
			})
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = sweep.WriteText(os.Stdout, report)
}
