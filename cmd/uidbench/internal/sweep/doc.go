// Package sweep measures generators with several settings, to compare them.
//
//	report, err := sweep.Run(ctx, sweep.Config{
//		Goroutines: []int{1, 2, 4}, BoostPowers: []int{0, 3, 6},
//		New: func(c sweep.Combination) (uid.Generator, error) { ... },
//	})
//	err = sweep.WriteText(os.Stdout, report)
//
// Run measures every combination of settings. It repeats all runs several times, each time
// in another order, so that a phase in which the machine is slower does not affect one of
// them alone; of the repetitions of a run, the one with the median ratio counts.
package sweep
