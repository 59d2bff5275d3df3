// Package policy has the decisions that a generator leaves to its user: what to do when
// the clock was set back, when a tick is full, when the ring rejects a put because it is
// full, or a take because it is empty, and when the worker id is lost.
//
//	cached := uid.Config{RejectTake: policy.Fail} // for uid.New
//	made := uid.DefaultConfig{                     // for uid.NewDefault
//		ClockBack: policy.WaitUpTo(5 * time.Millisecond),
//		TickFull:  policy.BorrowAhead(1000),
//	}
//
//	event          default     Baidu's UidGenerator  others
//	put rejected   (it waits)  Discard               your own RejectPut
//	take rejected  (it waits)  Fail                  your own RejectTake
//	lease lost     Reacquire   (has no leases)       GiveUp
//	clock back     Refuse      Refuse                GoOn, Turn, WaitUpTo, Reserved
//	tick full      WaitNext    WaitNext              FailNow, BorrowAhead
//
// A RejectPut or RejectTake of your own is a function that gets what has happened and
// returns a decision. It gets neither the ring nor the generator. It may read the
// generator's Stats, since no lock is held while it runs.
package policy
