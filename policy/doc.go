// Package policy has the decisions that a generator leaves to its user: what to do when
// the clock was set back, when a tick is full, when the ring rejects a put because it is
// full, or a take because it is empty, and when the worker id is lost.
//
//	cached := uid.Config{RejectTake: policy.Fail} // for uid.NewCached
//	made := uid.Config{                            // for uid.NewDefault
//		ClockBack: policy.WaitUpTo(5 * time.Millisecond),
//		TickFull:  policy.BorrowAhead(1000),
//	}
//
//	event          default    Baidu's UidGenerator  others
//	put rejected   Keep       Discard               your own RejectPut
//	take rejected  Wait       Fail                  your own RejectTake
//	lease lost     Reacquire  (has no leases)       GiveUp
//	clock back     Refuse     Refuse                GoOn, Turn, WaitUpTo, Reserved
//	tick full      WaitNext   WaitNext              FailNow, BorrowAhead
//
// A RejectPut or RejectTake of your own is a function that is told what has happened and
// returns a decision. It gets neither the ring nor the generator. It may read the
// generator's Stats, block, fail or panic without harm to any take but the one that asked,
// since no lock is held while it runs; only a RejectPut that blocks delays others. It may be
// called from any number of goroutines at once. A RejectTake may wait, as [Wait] does.
//
// A RejectTake that takes an id from the generator that called it is called for that take,
// too, and so on, unless it takes with the context that it was given: that take waits, as
// [Wait] does.
package policy
