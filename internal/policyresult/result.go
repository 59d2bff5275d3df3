// Package policyresult has what a policy may return. The functions of package policy make
// these values, and generators read them; a user's policy returns what those functions return.
package policyresult

import "time"

// Back is what to do about a clock that was set back. The zero value refuses.
type Back struct {
	Action      BackAction
	Sleep       time.Duration // with Sleep
	First, Last int64         // with Reserved: the reserved numbers
}

// BackAction says which of Back's fields count.
type BackAction uint8

const (
	Refuse   BackAction = iota // an error, until the clock has caught up
	Sleep                      // sleep, then look again
	GoOn                       // go on in the last id's tick, as if the clock stood there
	Turn                       // go on at the clock's time with the turn bit flipped
	Reserved                   // one id in each past tick, with a reserved sequence number
)

// Full is what to do about a tick that is full. The zero value waits.
type Full uint8

const (
	WaitNext  Full = iota // sleep until the next tick
	FailNow               // an error at once
	Borrow                // go on in the tick after it
	BorrowOne             // go on in the tick after it, for one id
)

// Put is what becomes of the ids that a full ring rejects. The zero value keeps
// them.
type Put uint8

const (
	Keep    Put = iota // put the rest of the tick next time
	Discard            // drop the rest of the tick
)
