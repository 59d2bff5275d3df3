// Package policy holds the decisions that a generator leaves to its user: what
// happens when the clock was set back, when a tick is full, when the ring rejects a
// put, because it is full, or a take, because it is empty, and when the worker id is
// lost.
//
//	uid.Config{
//		ClockBack:  policy.WaitUpTo(5 * time.Millisecond),
//		RejectTake: policy.Fail,
//	}
//
// A policy is a function that is told what is the matter and answers. One of your own
// decides what those of this package decide, by asking them:
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
// A policy is not given the ring or the generator. No lock is held while it runs, so
// it may block, fail or panic without harm to anybody but the take that asked, and
// look at the generator's Stats. Takes ask it from as many goroutines as they are. An
// answer counts for the state that it was asked about: when that has changed
// meanwhile, the policy is asked again. It leaves the waiting to the generator.
//
// A policy that takes an id of the generator that asks it is asked about that, too,
// and so on. The one exception is a RejectTake that takes with the context that it was
// given: that take waits, as [Wait] does.
package policy
