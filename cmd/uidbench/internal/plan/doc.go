// Package plan finds the layouts that meet requirements.
//
//	fits, err := plan.Layouts(plan.Requirements{
//		Nodes: 10, StartsPerDay: 50, IDsPerSecond: 5000, Years: 20,
//	}, time.Now())
//	fmt.Println(fits[0].Layout, fits[0].End)
//
// Every requirement costs bits, and an id has 63 of them:
//
//   - years cost time bits, as many as it takes for the layout to last until
//     then;
//   - nodes cost worker bits. If each start of a process uses up a worker id, as with
//     Baidu's WORKER_NODE, so do the starts of all those years, which soon cost the most.
//     Recycled worker ids cost nothing beyond the nodes, or twice the nodes with ticks
//     of a minute or more;
//   - ids a second, sustained by one node, cost sequence bits.
//
// The length of a tick moves bits between time and sequence: ticks ten times as long need
// about three time bits less and three sequence bits more. So it hardly changes what
// fits, but it does change how ids behave: long ticks hold bursts without borrowing from
// the future, short ones show the time more exactly.
//
// [Layouts] returns the layouts that fit, the most sensible first, or a [Conflict] that
// says how many bits are too many. Everything here is arithmetic: no clock is read, and a
// layout counts from the day of its first use, so that what fits today fits tomorrow.
package plan
