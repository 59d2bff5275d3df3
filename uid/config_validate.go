package uid

import (
	"fmt"

	"github.com/ringuid/ringuid/policy"
)

// setting is one that only one of the generators has.
type setting struct {
	name  string
	isSet bool
	other string // what the generator does that has no such setting
}

// ofDefault are the settings that only a default generator has.
func (c Config) ofDefault() []setting {
	return []setting{
		{"ClockBack", c.ClockBack != nil, "continues where it was"},
		{"TickFull", c.TickFull != 0, "continues in the next tick"},
		{"RandomSeq", c.RandomSeq != 0, "hands out all numbers of a tick"},
	}
}

// ofCached are the settings that only a cached generator has.
func (c Config) ofCached() []setting {
	const noRing = "has no ring"
	return []setting{
		{"BoostPower", c.BoostPower != 0, noRing},
		{"RingSize", c.RingSize != 0, noRing},
		{"PaddingFactor", c.PaddingFactor != 0, noRing},
		{"ScheduleInterval", c.ScheduleInterval != 0, noRing},
		{"MaxAhead", c.MaxAhead != 0, "borrows what TickFull lets it"},
		{"MaxLag", c.MaxLag != 0, "keeps no ids"},
		{"RejectPut", c.RejectPut != nil, noRing},
		{"RejectTake", c.RejectTake != nil, noRing},
	}
}

// refuse is the error of a generator for settings of another.
func refuse(others []setting, constructor, generator string) error {
	for _, s := range others {
		if s.isSet {
			return fmt.Errorf("%w: Config.%s is a setting of %s; a %s generator %s: leave it out",
				ErrConfig, s.name, constructor, generator, s.other)
		}
	}
	return nil
}

// validate says which setting is invalid and what to do about it. Defaults have been
// filled in.
func (c Config) validate() error {
	if err := c.Layout.Validate(); err != nil {
		return err
	}
	switch {
	case c.PaddingFactor < 1 || c.PaddingFactor > 99:
		return fmt.Errorf("%w: PaddingFactor is %d: set it to a percentage from 1 to 99", ErrConfig,
			c.PaddingFactor)
	case c.BoostPower < 0:
		return fmt.Errorf("%w: BoostPower is %d: set it to 1 or more, or set RingSize", ErrConfig,
			c.BoostPower)
	case c.RingSize < 0:
		return fmt.Errorf("%w: RingSize is %d: set it to a number of ids", ErrConfig, c.RingSize)
	case c.RingSize > 0 && c.BoostPower > 0:
		return fmt.Errorf("%w: RingSize and BoostPower are set: leave one out", ErrConfig)
	case c.ScheduleInterval != 0 && c.ScheduleInterval < leastInterval:
		return fmt.Errorf("%w: ScheduleInterval is %v: set it to %v or more, or leave it 0 for none",
			ErrConfig, c.ScheduleInterval, leastInterval)
	case c.Above < 0:
		return fmt.Errorf("%w: Above is %d: set it to an id that exists, or leave it 0 for none",
			ErrConfig, c.Above)
	case c.MaxAhead < 0:
		return fmt.Errorf("%w: MaxAhead is %v: set it to a positive time, or leave it 0 for no bound",
			ErrConfig, c.MaxAhead)
	case c.OnLeaseLost > policy.GiveUp:
		return fmt.Errorf("%w: OnLeaseLost is %d: set it to policy.Reacquire or policy.GiveUp", ErrConfig,
			c.OnLeaseLost)
	}
	return c.validateSeq()
}

// validateSeq checks the sequence numbers, and that the layout has what the ClockBack policy
// needs.
func (c Config) validateSeq() error {
	switch {
	case c.MaxSeq < 0 || c.MaxSeq > c.Layout.maxSeq():
		return fmt.Errorf("%w: MaxSeq is %d: set it to 1 to %d, or leave it 0 for the largest", ErrConfig,
			c.MaxSeq, c.Layout.maxSeq())
	case c.MinSeq < 0 || c.MinSeq > c.MaxSeq:
		return fmt.Errorf("%w: MinSeq is %d: set it to 0 to MaxSeq, %d", ErrConfig, c.MinSeq, c.MaxSeq)
	case c.RandomSeq < 0 || c.RandomSeq > c.tickIDs():
		return fmt.Errorf("%w: RandomSeq is %d: set it to 0 to the %d ids of a tick", ErrConfig,
			c.RandomSeq, c.tickIDs())
	case c.TickFull < policy.FailNow:
		return fmt.Errorf("%w: TickFull is %d: set it to a policy of package policy", ErrConfig,
			c.TickFull)
	case !fits(c.Turn, c.Layout.TurnBits):
		return fmt.Errorf("%w: Turn is %d: with TurnBits %d set it to 0 to %d", ErrConfig, c.Turn,
			c.Layout.TurnBits, mask(c.Layout.TurnBits))
	}
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
		if !c.keeps(back.First, back.Last) {
			return fmt.Errorf("%w: the ClockBack policy reserves the numbers %d to %d, and a tick gives "+
				"out MinSeq %d to MaxSeq %d of 0 to %d: reserve numbers below or above those",
				ErrConfig, back.First, back.Last, c.MinSeq, c.MaxSeq, c.Layout.maxSeq())
		}
	default:
		return fmt.Errorf("%w: ClockBack is a %T: set it to a policy of package policy", ErrConfig, back)
	}
	return nil
}

// keeps reports whether all of the numbers from first to last lie before, or all
// behind, those that a tick gives out.
func (c *Config) keeps(first, last int64) bool {
	return 0 <= first && first <= last &&
		(last < c.MinSeq || first > c.MaxSeq && last <= c.Layout.maxSeq())
}
