// Package policy has the decisions that a generator leaves to its user: what to do when
// the clock was set back, when a tick is full, when the ring rejects a put because it is
// full, or a take because it is empty, and when the worker id is lost.
//
//	uid.Config{
//		ClockBack:  policy.WaitUpTo(5 * time.Millisecond),
//		RejectTake: policy.Fail,
//	}
//
// A policy is a function that is told what has happened and returns a decision. Your own
// policy decides by calling those of this package:
//
//	ClockBack: func(b policy.Back) policy.BackDecision {
//		if b.By > time.Second {
//			return policy.Refuse(b)
//		}
//		return policy.GoOn(b)
//	},
//
//	event          default    Baidu's UidGenerator  your own
//	put rejected   Keep       Discard               a RejectPut
//	take rejected  Wait       Fail                  a RejectTake
//	lease lost     Reacquire  (has no leases)
//	clock back     Refuse     Refuse                a ClockBack
//	tick full      WaitNext   WaitNext              a TickFull
//
// A policy gets neither the ring nor the generator. It may read the generator's Stats,
// block, fail or panic without harm to any take but the one that asked, since no lock is
// held while it runs; only a RejectPut that blocks delays others. It may be called from any
// number of goroutines at once. A decision is valid for the state that the policy was told:
// if that has changed meanwhile, the policy is called again. Waiting is left to the
// generator.
//
// A policy that takes an id from the generator that called it is called for that take,
// too, and so on. The one exception is a RejectTake that takes with the context that it
// was given: that take waits, as [Wait] does.
package policy
