package policy

// TickFull is what a default generator does when the sequence of a tick is used up. A
// positive number is how many ticks of the future it may use in a row, see [BorrowAhead].
// Zero means that nothing was set.
type TickFull int64

const (
	// WaitNext sleeps until the next tick. It is the default.
	WaitNext TickFull = -1

	// FailNow returns an error at once, as raindrop does for minutes and longer.
	FailNow TickFull = -2
)

// BorrowAhead continues in ticks of the future, up to n in a row, and then waits until
// the clock has passed them: Yitter's drift, whose TopOverCostCount is n. As there, the
// last of them gives one id, even with n = 0; and a clock that is set back meanwhile is not
// noticed, but makes the wait at the end longer.
func BorrowAhead(n int64) TickFull { return TickFull(max(n, 1)) }
