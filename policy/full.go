package policy

// TickFull is what a default generator does when the sequence of a tick is used up:
// [WaitNext], [FailNow] or a [BorrowAhead].
type TickFull interface{ tickFull() }

type fullAction uint8

const (
	// WaitNext sleeps until the next tick. It is the default.
	WaitNext fullAction = iota

	// FailNow returns an error at once, as raindrop does for minutes and longer.
	FailNow
)

// BorrowAhead continues in ticks of the future, up to this many in a row, and then waits until
// the clock has passed them: Yitter's drift, whose TopOverCostCount it is. As there, the last of
// them gives one id, and 0 means 1. A clock that is set back meanwhile goes unnoticed, and makes
// the wait at the end longer.
type BorrowAhead int64

func (fullAction) tickFull()  {}
func (BorrowAhead) tickFull() {}
