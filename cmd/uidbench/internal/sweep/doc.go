// Package sweep measures generators with several settings, to compare them.
//
// Run measures every combination of settings. It repeats all runs several times, each time
// in another order, so that a phase in which the machine is slower does not affect one of
// them alone; of the repetitions of a run, the one with the median ratio counts.
package sweep
