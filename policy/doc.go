// Package policy holds the decisions that a generator leaves to its user: what
// happens when the ring rejects a put, because it is full, when it rejects a
// take, because it is empty, and when the worker id is lost.
//
// A policy is a function that is told what is the matter and answers. It never
// sees the ring or the generator, so it cannot call back into them, and it may
// block, fail or panic without harm to anybody but the take that asked it.
//
//	event        default    Baidu's habit   your own
//	put rejected KeepRest   DiscardRest     a RejectPut
//	take rejected Wait      Fail            a RejectTake
//	lease lost   Reacquire  (has no leases)
package policy
