// Package uid hands out unique, time-ordered, positive 63-bit ids inside a
// process.
//
// How an id comes to be:
//
//	worker.Assigner ──Lease──▶ mint ──span──▶ padding.Padder ──▶ ringbuffer.Ring ──▶ GetUID
//	 worker id,                 layout, clock   mints ticks,        one fetch-and-add
//	 granted time               and lease       borrows the future  per take
//
// NewCached builds the whole row and is the fast one: ids are made ahead of
// time, and a take neither locks nor looks at the clock. NewDefault makes each
// id from the clock when it is asked for.
//
// # What is promised
//
// Unique: a worker id has one holder, a tick is minted once, and only inside
// what the lease granted. How far that reaches is the lease's worker.Class. One that
// is not fenced starts with the tick after, and borrows nothing from the future.
//
// Ordered: what one goroutine takes by GetUID grows, unless Config.Relaxed or a
// ClockBack policy gives the order up.
//
// Honest about time: at any rate that the layout's ticks hold, the time in an id is
// at most one tick and Config.MaxLag old, and never of the future. A generator that
// is drained faster runs ahead of the clock, Config.MaxAhead bounds it, and Stats
// tells. While no newer ids can be minted the old ones are handed out.
//
// No silent end: when the time bits are used up, the lease is lost or the
// generator is closed, every take returns a sentinel error. There is no negative
// and no wrapped id.
//
// # What is not
//
// An id is not a secret: whoever has one can guess the next. Ids of two
// generators are ordered only as their ticks are. Streams of ids have gaps.
package uid
