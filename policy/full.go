package policy

import (
	"time"

	"github.com/ringuid/ringuid/internal/policyresult"
)

// Full is what a policy is told when the sequence of a tick is used up.
type Full struct {
	Tick     time.Time     // the tick's first instant
	Unit     time.Duration // its length
	Borrowed int64         // ticks borrowed from the future in a row, this one included
}

// FullDecision is what a [TickFull] decides: whatever [WaitNext], [FailNow] or
// [BorrowAhead] does.
type FullDecision = policyresult.Full

// TickFull decides what a default generator does when a tick is full.
type TickFull func(Full) FullDecision

// WaitNext sleeps until the next tick. It is the default.
func WaitNext(Full) FullDecision { return policyresult.WaitNext }

// FailNow returns an error at once, as raindrop does for minutes and longer.
func FailNow(Full) FullDecision { return policyresult.FailNow }

// BorrowAhead continues in ticks of the future, up to n in a row, and then waits until
// the clock has passed them: Yitter's drift, whose TopOverCostCount is n. As there, the
// last of them gives one id, even with n = 0; and a clock that is set back meanwhile is not
// noticed, but makes the wait at the end longer.
func BorrowAhead(n int64) TickFull {
	return func(f Full) FullDecision {
		switch next := f.Borrowed + 1; {
		case f.Borrowed > 0 && f.Borrowed >= n:
			return policyresult.WaitNext
		case next >= n:
			return policyresult.BorrowOne
		}
		return policyresult.Borrow
	}
}
