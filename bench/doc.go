// Package bench loads an id generator and reports how fast it was, how long a
// take took, and whether any id came twice.
//
//	g, err := uid.NewCached(ctx, worker.Static(1), uid.Config{AllowRepeats: true})
//	...
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Duration: 5 * time.Second})
//	bench.WriteText(os.Stdout, report)
//
// [Run] closes the generator. A report can also be written as JSON ([WriteJSON]) and as
// Go benchmark results ([WriteBench]). The command uidbench does all that, and more with
// the reports.
//
// # Throughput
//
// G goroutines take ids in a closed loop, each as fast as it can, with no clock
// between one id and the next. Every ids per second and ns per id is the wall
// time of all of them together, not the time of one call.
//
// Such a figure depends on the machine more than on the code. So the same
// goroutines also add to one shared atomic counter, the least that any generator
// of shared ids could do, in turns with the ids: a round of one, a round of the
// other, ten times over. Report.Ratio is the quotient, and that is what compares
// from machine to machine.
//
// # Latency
//
// One call in about a thousand is timed, such that two readings of the clock come
// to less than one percent of the time between them. A timed call includes the
// cost of reading the clock, which is measured and reported beside it.
//
// A closed loop flatters: a generator that stalls is not asked meanwhile. With
// Config.Rate the load is open: calls are due at constant intervals, or at random
// ones (Config.Poisson), and the latency of each counts from when it was due,
// whether or not the generator (or this program) was ready for it; a call without an
// answer when the load ends counts with its wait until then. Gil Tene calls the
// difference coordinated omission.
//
// # Age
//
// Now and then each goroutine compares the time in an id it has just got with the
// clock. Report.Age is how old ids are when they are handed out: an id of the
// present tick is 0 to one tick old, and one with a negative age was borrowed from
// the future. This is done beside the timed calls, so that no figure changes.
//
// # Verification
//
// With Config.Verify every id is kept, and checked to be new and, where the
// generator promises it, above the last one of its goroutine. The load pauses
// meanwhile, and the pause counts for nothing. Ids are kept as bits in pages of 512,
// the worker id's bits first, so that the ids of a generator are neighbours whatever its
// layout: about 0.2 bytes an id, at most 110 where each id has a page of its own. (A
// billion ids took 3.5 s and 194 MiB this way. 100 million took 0.2 s and 13 to 20
// MB; 1.2 to 1.9 s and 90 MB as a roaring bitmap, 11 s and 800 MB when sorted.)
//
// # Several processes
//
// Processes that load at the same time, each with a worker id of its own, [Record] and
// write their recordings. A [Merger] reads these, makes one report of them, and finds
// ids that two of them got.
package bench
