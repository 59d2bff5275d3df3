package policy

import "time"

// Full is what a policy is told when the sequence of a tick is used up.
type Full struct {
	Tick     time.Time     // the tick's first instant
	Unit     time.Duration // its length
	Borrowed int64         // ticks borrowed from the future in a row, this one included
}

// FullAction is what a default generator does about a tick that is full.
type FullAction uint8

const (
	WaitFull  FullAction = iota // sleep until the next tick
	FailFull                    // an error at once
	Borrow                      // go on in the tick after it
	BorrowOne                   // go on in the tick after it, for one id
)

// TickFull decides what a default generator does when a tick is full.
type TickFull func(Full) FullAction

// WaitNext sleeps until the next tick. It is the default.
func WaitNext(Full) FullAction { return WaitFull }

// FailNow returns an error at once, as raindrop does for minutes and longer.
func FailNow(Full) FullAction { return FailFull }

// BorrowAhead goes on in ticks of the future, up to n in a row, and then waits
// until the clock has passed them: Yitter's drift, whose TopOverCostCount is n.
// As there, the last of them gives one id, also with n = 0.
func BorrowAhead(n int64) TickFull {
	return func(f Full) FullAction {
		switch next := f.Borrowed + 1; {
		case f.Borrowed > 0 && f.Borrowed >= n:
			return WaitFull
		case next >= n:
			return BorrowOne
		}
		return Borrow
	}
}
