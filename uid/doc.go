// Package uid makes unique, time-ordered, positive 63-bit ids in the process.
//
//	store := sqlstore.MySQL(db)
//	gen, err := uid.NewCached(ctx, worker.Disposable(store), uid.Config{})
//	if err != nil {
//		return err
//	}
//	defer gen.Close()
//
//	id, err := gen.GetUID()
//
// The worker id, which keeps two processes from making the same id, comes from a
// [worker.Assigner]; what an id's bits mean is its [Layout].
//
// There are two generators, and [Generator] is what they have in common. A
// [CachedGenerator] makes ids ahead of time: a take neither locks nor looks at the
// clock, and a burst borrows from the seconds to come. A [DefaultGenerator] makes each
// id from the clock when it is asked for, with the policies of [Config] for a clock
// that is set back and a tick that is full. The settings of other systems are in
// package preset.
//
// # How an id comes to be
//
//	worker.Assigner ──lease──▶ mint ──span──▶ ringbuffer.Ring ──▶ GetUID
//	 worker id,                 layout, clock   one fetch-and-add
//	 granted time               and lease       per take
//	 lease.go                   cached_mint.go  cached.go
//
// A padding.Padder drives the mint: it keeps the ring full. Without a ring, each call
// takes the next number of the current tick (default_sequence.go), in the common case
// by one fetch-and-add too (default_lap.go).
//
// # What is promised
//
// Unique: a worker id has one holder, a tick is minted once, and only inside what the
// lease granted. How far that reaches is the lease's [worker.Class]. A worker id that
// is not fenced begins with the tick after its start, and borrows nothing from the
// future.
//
// Ordered: what one goroutine takes by GetUID grows, unless Config.Relaxed or a
// ClockBack policy gives the order up.
//
// Honest about time: at any rate that the layout's ticks hold, an id is at most one
// tick and Config.MaxLag old, and never of the future. A generator that is drained
// faster runs ahead of the clock; Config.MaxAhead bounds by how much, and Stats tells.
// While no newer ids can be made, old ones are handed out.
//
// No silent end: when the time bits are used up, the lease is lost or the generator is
// closed, every take returns an error that wraps one of this package's. There is no
// negative and no wrapped id.
//
// # What is not
//
// An id is not a secret: whoever has one can guess the next. Ids of two generators are
// ordered only as their ticks are. There are gaps between ids.
package uid
