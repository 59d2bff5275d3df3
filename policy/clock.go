package policy

import (
	"time"

	"github.com/ringuid/ringuid/internal/policyresult"
)

// Back is what a policy is told when the clock shows a tick before that of the
// last id.
type Back struct {
	// how far, from the last id's tick to the clock's; a multiple of the layout's unit
	By     time.Duration
	Waited time.Duration // what this call has waited for it already
}

// BackDecision is what a [ClockBack] decides: whatever [Refuse], [GoOn], [Turn],
// [Sleep], [WaitUpTo] or [Reserved] does.
type BackDecision = policyresult.Back

// ClockBack decides what a default generator does when the clock was set back. It is
// called once, with a step of one unit, when the generator starts, so that a decision
// which the layout cannot carry out is refused there.
type ClockBack func(Back) BackDecision

// Refuse returns an error until the clock has caught up, as Twitter's Snowflake
// and Baidu's UidGenerator do. It is the default.
func Refuse(Back) BackDecision { return BackDecision{Action: policyresult.Refuse} }

// GoOn continues in the last id's tick: ids stay in order, and when the tick is full the
// TickFull policy decides.
func GoOn(Back) BackDecision { return BackDecision{Action: policyresult.GoOn} }

// Turn flips the layout's turn bit, as raindrop does, and continues at the clock's time.
// Times that were passed with both values of the bit have no ids left: a second step back
// over them is refused until the clock has passed one of them, where raindrop repeats
// ids.
func Turn(Back) BackDecision { return BackDecision{Action: policyresult.Turn} }

// Sleep sleeps this long and then reads the clock again.
func Sleep(d time.Duration) ClockBack {
	return func(Back) BackDecision { return BackDecision{Action: policyresult.Sleep, Sleep: d} }
}

// WaitUpTo sleeps once, for twice the step, if the step is at most limit, and refuses
// otherwise, as Meituan's Leaf does with 5 ms.
func WaitUpTo(limit time.Duration) ClockBack {
	return func(b Back) BackDecision {
		if b.By > limit || b.Waited > 0 {
			return Refuse(b)
		}
		return Sleep(2 * b.By)(b)
	}
}

// Reserved gives one id in each tick before the last id's, in descending order, with a
// reserved sequence number: the number first at the first step back, then the next one,
// up to last and then first again, as Yitter does with 1 to 4. The numbers must be below
// Config.MinSeq or above Config.MaxSeq. No tick gets a second id with the same number;
// when all numbers are used up for the past, the step is refused, where Yitter's fifth
// step repeats ids. With a worker id that is not fenced it begins at the clock's tick, as
// nothing is minted ahead of the clock: see uid.Config.AllowRepeats.
func Reserved(first, last int64) ClockBack {
	return func(Back) BackDecision {
		return BackDecision{Action: policyresult.Reserved, First: first, Last: last}
	}
}
