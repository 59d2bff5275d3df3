package uid

import (
	"fmt"

	"github.com/ringuid/ringuid/policy"
)

// validate says which setting is invalid and what to do about it. Defaults have been
// filled in.
func (c settings) validate() error {
	if err := c.Layout.Validate(); err != nil {
		return err
	}
	largest, ids := c.Layout.maxSeq(), c.tickIDs()
	for _, s := range []struct {
		ok    bool
		name  string
		value any
		to    string
	}{
		{1 <= c.PaddingFactor && c.PaddingFactor <= 99, "PaddingFactor", c.PaddingFactor,
			"a percentage from 1 to 99"},
		{c.BoostPower >= 0, "BoostPower", c.BoostPower, "1 or more"},
		{c.RingSize >= 0, "RingSize", c.RingSize, "a number of ids"},
		{c.ScheduleInterval == 0 || c.ScheduleInterval >= leastInterval, "ScheduleInterval",
			c.ScheduleInterval, fmt.Sprintf("%v or more, or leave it 0 for none", leastInterval)},
		{c.Above >= 0, "Above", c.Above, "an id that exists, or leave it 0 for none"},
		{c.MaxAhead >= 0, "MaxAhead", c.MaxAhead, "a positive time, or leave it 0 for no bound"},
		{c.OnLeaseLost <= policy.GiveUp, "OnLeaseLost", c.OnLeaseLost,
			"policy.Reacquire or policy.GiveUp"},
		{0 <= c.MaxSeq && c.MaxSeq <= largest, "MaxSeq", c.MaxSeq,
			fmt.Sprintf("1 to %d, or leave it 0 for the largest", largest)},
		{0 <= c.MinSeq && c.MinSeq <= c.MaxSeq, "MinSeq", c.MinSeq,
			fmt.Sprintf("0 to MaxSeq, %d", c.MaxSeq)},
		{0 <= c.RandomSeq && c.RandomSeq <= ids, "RandomSeq", c.RandomSeq,
			fmt.Sprintf("0 to the %d ids of a tick", ids)},
		{isTickFull(c.TickFull), "TickFull", c.TickFull, "a policy of package policy"},
		{fits(c.Turn, c.Layout.TurnBits), "Turn", c.Turn,
			fmt.Sprintf("0 to %d, by TurnBits", mask(c.Layout.TurnBits))},
	} {
		if !s.ok {
			return fmt.Errorf("%w: %s is %v: set it to %s", ErrConfig, s.name, s.value, s.to)
		}
	}
	return c.validateClockBack()
}

func isTickFull(full policy.TickFull) bool {
	action, ok := full.(policy.FullAction)
	_, borrows := full.(policy.BorrowAhead)
	return borrows || ok && action <= policy.FailNow
}

// validateClockBack checks that the layout has what the policy needs.
func (c settings) validateClockBack() error {
	switch back := c.ClockBack.(type) {
	case policy.WaitUpTo:
	case policy.BackAction:
		switch {
		case back > policy.Turn:
			return fmt.Errorf("%w: ClockBack is %d: set it to a policy of package policy", ErrConfig, back)
		case back == policy.Turn && c.Layout.TurnBits == 0:
			return fmt.Errorf("%w: the ClockBack policy flips the turn bit, and the layout %v has none: "+
				"set TurnBits to 1", ErrConfig, c.Layout)
		}
	case policy.Reserved:
		outside := back.Last < c.MinSeq || back.First > c.MaxSeq && back.Last <= c.Layout.maxSeq()
		if back.First < 0 || back.First > back.Last || !outside {
			return fmt.Errorf("%w: the ClockBack policy reserves the numbers %d to %d, and a tick gives "+
				"out MinSeq %d to MaxSeq %d of 0 to %d: reserve numbers below or above those",
				ErrConfig, back.First, back.Last, c.MinSeq, c.MaxSeq, c.Layout.maxSeq())
		}
	default:
		return fmt.Errorf("%w: ClockBack is a %T: set it to a policy of package policy", ErrConfig, back)
	}
	return nil
}
