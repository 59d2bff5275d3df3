// Package policy holds the decisions that a generator leaves to its user: what
// happens when the ring rejects a put, because it is full, or a take, because it
// is empty; when the clock was set back; when a tick is full; and when the worker
// id is lost.
//
// A policy is a function that is told what is the matter and answers. It never
// sees the ring or the generator, so it cannot call back into them. The handlers of
// rejects may block, fail or panic without harm to anybody but the take that asked.
// A ClockBack and a TickFull are asked while other takes that need them wait: they
// answer at once, and leave the waiting to the generator.
//
//	event          default    Baidu's habit    your own
//	put rejected   KeepRest   DiscardRest      a RejectPut
//	take rejected  Wait       Fail             a RejectTake
//	lease lost     Reacquire  (has no leases)
//	clock back     Refuse     Refuse           a ClockBack
//	tick full      WaitNext   WaitNext         a TickFull
package policy
