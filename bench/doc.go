// Package bench loads an id generator and reports how fast it was, how long a
// take took, and whether any id came twice.
//
//	g, err := uid.NewCached(ctx, worker.Static(1), uid.Config{AllowRepeats: true})
//	...
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Duration: 5 * time.Second})
//	bench.WriteText(os.Stdout, report)
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
// Now and then each loader compares the time in an id it has just got with the
// clock. Report.Age is how old ids are when they are handed out: an id of the
// present tick is 0 to one tick old, and one with a negative age was borrowed from
// the future. It is looked at beside the timed calls, so that no figure changes.
//
// # Verification
//
// With Config.Verify every id is kept, and checked to be new and, where the
// generator promises it, above the last one of its goroutine. The load pauses
// meanwhile, and the pause counts for nothing. Ids are kept as bits in pages of 512,
// the worker id's bits first, so that those of a generator lie dense whatever its
// layout: about 0.2 bytes an id, at most 110 where each id has a page of its own. (A
// billion ids took 3.5 s and 194 MiB this way. 100 million took 0.2 s and 13 to 20
// MB; 1.2 to 1.9 s and 90 MB as a roaring bitmap, 11 s and 800 MB when sorted.)
//
// RunProcesses has several processes do all that at once, each with a worker id of
// its own, and looks for ids that two of them had.
//
// # Series
//
// Scale lets one thing grow at a time: ids, the ring, goroutines. Sweep measures every
// combination of settings. Both go around all their runs several times, in another
// order each time, so that none of them suffers alone when the machine gets slower
// for a while.
package bench
