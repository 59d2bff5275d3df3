// Package processes has several processes load generators at the same time, each with a
// worker id of its own, and reports of them as of one load.
//
//	report, err := processes.Run(ctx, processes.Config{
//		Number: 4, Load: bench.Config{Duration: 5 * time.Second, Verify: true},
//		Command: func() *exec.Cmd { return exec.Command(os.Args[0], "run-process") },
//	})
//
// Each is a subprocess that calls Process: it makes its generator, says that it is ready,
// takes ids when the parent signals that all are, tells how far it has come, and in the
// end writes its bench.Recording, which a bench.Merger reads.
package processes
