// Package compare tells whether results of uidbench, or of any Go benchmark, differ
// from earlier ones, and by how much.
//
//	before, err := compare.Read(oldFile, "old.txt")
//	...
//	after, err := compare.Read(newFile, "new.txt")
//	...
//	report, err := compare.Compare(before, after, compare.Options{})
//	compare.WriteText(os.Stdout, report)
//	err = compare.Limit{Percent: 5, Units: []string{"ratio"}}.Check(report)
//
// # Samples
//
// A figure alone cannot be compared: measured again it is another one. So a
// benchmark has samples, one for each of its lines in a file. Uidbench writes a
// line for each round of a run, ten as a rule, and go test writes one for each
// -count. Several runs in one file are more samples of the same benchmarks. The
// latencies of a run are one sample, however many calls were timed, so only
// several runs can tell them apart.
//
// The rounds of one run are more alike than two runs are, which differ in where
// memory lies and in what else the machine does. Several runs of both sides, in
// turns, are the better evidence.
//
// # Statistics
//
// All of them come from golang.org/x/perf/benchmath, as benchstat's do, and they
// are benchstat's figures. Benchmark results are not normally distributed, so
// nothing is assumed: a benchmark is summed up by its median, with an interval
// made of order statistics that holds the true median with the confidence asked
// for; and two are compared by Mann and Whitney's U test (Annals of Mathematical
// Statistics 18, 1947), which counts in how many pairs of samples the new one is
// the higher. Its p is how often chance alone would make them so different. A
// change counts when p is at most Options.Alpha.
//
// With few samples no difference is large enough: three in each have 20 orders,
// and the two extreme ones come with p = 0.1. That is TooFew, not "no change".
//
// Where twenty figures are compared at an alpha of 0.05, one of them changes by
// chance. A Limit that fails builds should name few units.
//
// # Machines
//
// Only the ratio, to an atomic add that the same goroutines did in the same run,
// travels from machine to machine. Report.SameMachine tells when to look at
// nothing else.
package compare
