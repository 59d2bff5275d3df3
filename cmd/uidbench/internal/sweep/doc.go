// Package sweep measures generators with several settings, to compare them.
//
//	report, err := sweep.Run(ctx, sweep.Config{
//		Goroutines: []int{1, 2, 4}, BoostPowers: []int{0, 3, 6},
//		New: func(c sweep.Combination) (uid.Generator, error) { ... },
//	})
//	err = sweep.WriteText(os.Stdout, report)
//
// Run measures every combination of settings, Scale lets one thing grow at a time: ids,
// the ring, goroutines. Both go around all their runs several times, in another order each
// time, so that none of them suffers alone when the machine gets slower for a while; and
// of runs that are alike the one of the median ratio counts.
package sweep
