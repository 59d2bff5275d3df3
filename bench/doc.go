// Package bench puts an id generator under load and reports how fast it was, how long
// each call took, and whether there were duplicate ids.
//
//	g, err := uid.New(ctx, worker.Static(1), uid.Config{AllowRepeats: true})
//	...
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Duration: 5 * time.Second})
//	bench.WriteText(os.Stdout, report)
//
// [Run] closes the generator. A report can also be written as JSON, by encoding/json, and as
// Go benchmark results ([WriteBench]), which benchstat compares.
//
// G goroutines take ids in a closed loop, each as fast as it can, without reading a clock
// between ids. "Ids per second" and "ns per id" are computed from the wall time of all
// goroutines together, not from the time of single calls. Such a figure depends more on the
// machine than on the code. So the same goroutines also add to one shared atomic counter, the
// least that any generator of shared ids must do: a round of one, a round of the other, ten
// times. "ratio" is the quotient, which can be compared between machines.
//
// About one call in a thousand is timed, so that reading the clock takes less than one percent
// of the run. A timed call includes the cost of reading the clock, which is measured and
// reported separately. A percentile is left out if there are too few calls to show it.
//
// A closed loop is too favourable: while a generator stalls it gets no calls. With Config.Rate
// the load is open: calls are due at constant intervals, and the latency of each counts from
// when it was due, whether or not the generator (or this program) was ready for it. A call that
// has not returned when the load ends counts with its wait until then, and in "never_ran". Gil
// Tene calls the difference coordinated omission.
//
// With Config.Verify every id is kept, and checked to be new and, where the generator
// promises order, above the last one of its goroutine. The load pauses meanwhile, and the
// pauses are not counted. Ids are kept as bits in pages of 512, with the worker id's bits
// first, so that the ids of a generator are adjacent whatever its layout: about 0.2 bytes
// an id, and at most 110 if each id needs its own page.
package bench
