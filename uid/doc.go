// Package uid makes unique, time-ordered, positive 63-bit ids within the process.
//
//	store, err := sqlstore.Open("mysql", dsn)
//	gen, err := uid.New(ctx, worker.Leased(store, worker.Claim{}), uid.Config{})
//	if err != nil {
//		return err
//	}
//	defer gen.Close()
//
//	id, err := gen.GetUID()
//
// The worker id, which keeps two processes from making the same id, comes from a
// [worker.Assigner]. A [Layout] says what the bits of an id mean.
//
// [New] is right for everybody. [NewCached] and [NewDefault] are Baidu's two generators, with
// Baidu's settings. A [CachedGenerator], which New makes too, makes an id of the present tick when
// it is taken; in a burst it makes them ahead of time, and may borrow from the seconds to come. A
// [DefaultGenerator] only makes each id when it is taken; [DefaultConfig] has policies for a clock
// that is set back and for a tick that is full. Package preset has the
// settings of other systems.
//
// # What is promised
//
// Unique: a worker id has one holder, and a tick is used once, and only within what the
// lease granted. The lease's [worker.Class] says what this depends on.
//
// Ordered: the ids that one goroutine takes with GetUID increase, unless a ClockBack
// policy gives up the order. With [WorkerTimeSequence] they increase as long as the worker
// id stays the same.
//
// Honest about time: up to 256 takes in a millisecond, an id is of the tick in which it is taken.
// At any higher rate that the layout's ticks can hold, it is at most one tick and Config.MaxLag
// old, and never from the future. With streams, which may lose as many ids as they hand out, that
// is so at half that rate. At first in a new pool, after its store restarted and after a worker id
// was replaced, ids are up to a minute ahead of the clock. A cached generator that is drained
// faster than its layout's ticks hold runs ahead, too: Config.MaxAhead bounds how far, and Stats
// shows it. After a fence or AfterRestore a generator drops its ring, and continues after the
// dropped ticks. If that is too far ahead, it waits. While no newer ids can be made, old ones are
// handed out.
//
// No silent end: when the time bits are used up, the lease is lost or the generator is
// closed, every take returns an error that wraps one of this package's. No id is ever
// negative or wraps around.
//
// # What is not
//
// Ids are not secret: the next can be guessed from any one of them. Ids of two generators
// are ordered only by their ticks. There are gaps between ids.
package uid
