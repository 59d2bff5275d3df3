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
// A single figure cannot be compared: measured again, it differs. So a benchmark has
// samples, one for each of its lines in a file. Uidbench writes a line for each round of
// a run, usually ten, and go test writes one for each -count. Several runs in one file
// are more samples of the same benchmarks. The latencies of a run are one sample, however
// many calls were timed, so comparing them takes several runs.
//
// The rounds of one run are more alike than two runs, which differ in memory layout and
// in what else the machine does. Several alternating runs of both sides are better
// evidence.
//
// # Statistics
//
// All statistics come from golang.org/x/perf/benchmath, and are the same as benchstat's.
// Benchmark results are not normally distributed, so no distribution is assumed: a
// benchmark is summarised by its median, with an interval of order statistics that
// contains the true median with the given confidence; two benchmarks are compared by Mann
// and Whitney's U test (Annals of Mathematical Statistics 18, 1947), which counts in how
// many pairs of samples the new one is higher. Its p is how often chance alone would make
// so large a difference. A change counts when p is at most Options.Alpha.
//
// With few samples no difference is large enough: three on each side can be ordered in 20
// ways, and the two extreme orders have p = 0.1. That is reported as TooFew, not as "no
// change".
//
// When twenty figures are compared at an alpha of 0.05, one of them changes by chance. So
// a Limit that fails builds should name few units.
//
// # Machines
//
// Between different machines only the ratio can be compared: it is to an atomic add by
// the same goroutines in the same run. Report.SameMachine says whether the other figures
// can be, too.
package compare
