// Package processes puts generators in several processes under load at the same time,
// each with its own worker id, and reports on them as on one load.
//
//	report, err := processes.Run(ctx, processes.Config{
//		Number: 4, Load: bench.Config{Duration: 5 * time.Second, Verify: true},
//		Command: func() *exec.Cmd { return exec.Command(os.Args[0], "run-process") },
//	})
//
// Each is a subprocess that calls [Process]: it creates its generator, tells the parent
// that it is ready, takes ids once the parent signals that all are ready, reports its
// progress, and at the end writes its bench.Recording, which a bench.Merger reads.
package processes
