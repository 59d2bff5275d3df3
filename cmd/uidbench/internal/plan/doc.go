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
//   - nodes cost worker bits. Where each start of a process takes a worker id
//     of its own for good, as in Baidu's WORKER_NODE, the starts of all those
//     years do too, and soon cost the most. Worker ids that are recycled cost
//     nothing beyond the nodes;
//   - ids a second, sustained by one node, cost sequence bits.
//
// The length of a tick moves bits between time and sequence: ticks ten times as
// long need about three time bits less and three sequence bits more. So it
// hardly changes what fits, but it does change how ids behave: long ticks hold
// bursts without borrowing the future, short ones tell the time more exactly.
//
// Layouts answers with the layouts that fit, the most sensible first, or with a
// Conflict that says which requirement is in the way. Everything here is arithmetic:
// no clock is read, and the same requirements give the same answer at the same time of
// day. A layout counts from the day of its first use, unless the requirements name
// another epoch: counted from a fixed one, what fits today would not tomorrow.
package plan
