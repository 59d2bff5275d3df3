package policy

import "time"

// ClockBack is what a default generator does when the clock shows a tick before that of the
// last id: [Refuse], [GoOn], [Turn], a [WaitUpTo] or a [Reserved].
type ClockBack interface{ clockBack() }

type backAction uint8

const (
	// Refuse returns an error until the clock has caught up, as Twitter's Snowflake and
	// Baidu's UidGenerator do. It is the default.
	Refuse backAction = iota

	// GoOn continues in the last id's tick: ids stay in order, and when the tick is full,
	// TickFull decides.
	GoOn

	// Turn flips the layout's turn bit, as raindrop does, and continues at the clock's time.
	// Times that were passed with both values of the bit have no ids left: a second step back
	// over them is refused until the clock has passed all of them. Raindrop repeats ids
	// there.
	Turn
)

// WaitUpTo sleeps until the clock has caught up, if it is behind by at most this long, and
// refuses otherwise, as Meituan's Leaf does with 5 ms. Leaf sleeps for twice the step, once. A call
// without a context waits for five seconds at most.
type WaitUpTo time.Duration

// Reserved gives one id in each tick before the last id's, in descending order, with a
// reserved sequence number: the number First at the first step back, then the next one, up to
// Last and then First again, as Yitter does with 1 to 4. The numbers must be below
// DefaultConfig.MinSeq. No tick gets a second id with the same number: when all numbers are used
// up for the past, the step is refused, where Yitter's fifth step repeats ids. With a worker id
// that is not fenced, Reserved begins at the clock's tick, because nothing is made ahead of the
// clock: see uid.Config.AllowRepeats.
type Reserved struct{ First, Last int64 }

func (backAction) clockBack() {}
func (WaitUpTo) clockBack()   {}
func (Reserved) clockBack()   {}
