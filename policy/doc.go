// Package policy holds the decisions that a generator leaves to its user: what
// happens when the ring rejects a put, because it is full, or a take, because it
// is empty; when the clock was set back; when a tick is full; and when the worker
// id is lost.
//
// A policy is a function that is told what is the matter and answers. It is not
// given the ring or the generator. No lock is held while it runs, so it may block,
// fail or panic without harm to anybody but the take that asked, and look at the
// generator's Stats; takes ask it from as many goroutines as they are. An answer
// counts for the state that it was asked about: when that has changed meanwhile,
// the policy is asked again. It leaves the waiting to the generator.
//
// A policy of your own decides what those of this package decide, by asking them:
//
//	ClockBack: func(b policy.Back) policy.BackDecision {
//		if b.By > time.Second {
//			return policy.Refuse(b)
//		}
//		return policy.GoOn(b)
//	},
//
// A policy that takes an id of the generator that asks it is asked about that, too,
// and so on: the one exception is a RejectTake that takes with the context it was
// given, which waits as Wait does.
//
//	event          default    Baidu's UidGenerator  your own
//	put rejected   Keep       Discard               a RejectPut
//	take rejected  Wait       Fail                  a RejectTake
//	lease lost     Reacquire  (has no leases)
//	clock back     Refuse     Refuse                a ClockBack
//	tick full      WaitNext   WaitNext              a TickFull
package policy
