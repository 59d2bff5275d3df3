package uid

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/generation"
	"github.com/ringuid/ringuid/policy"
)

// settings are those of all generators. Those that a generator does not have are zero.
type settings struct {
	Layout Layout
	Above  ID

	RingSize         int64
	BoostPower       int
	PaddingFactor    int
	ScheduleInterval time.Duration
	MaxAhead         time.Duration
	MaxLag           time.Duration
	RejectPut        policy.RejectPut
	RejectTake       policy.RejectTake

	MinSeq    int64
	RandomSeq int64
	Turn      int64
	ClockBack policy.ClockBack
	TickFull  policy.TickFull
	borrow    int64 // how many ticks TickFull borrows in a row; 0: none

	AllowRepeats bool
	OnLeaseLost  policy.LeaseLost
	Generation   *atomic.Uint64
	Now          func() time.Time
	maxSegment   time.Duration // how long the monotonic clock alone is relied on
	spread       time.Duration // in which copies of a machine ask for other worker ids
	device       func() (*atomic.Uint64, error)
	ofProcess    func() *atomic.Uint64
	Logger       *slog.Logger
}

const (
	defaultBoostPower    = 3
	defaultPaddingFactor = 50
	defaultMaxLag        = time.Second // but no more than defaultMaxLagTicks
	defaultMaxLagTicks   = 10

	leastInterval = 10 * time.Millisecond

	// defaultRingLimit bounds a ring whose size was not set: in a layout of long ticks, one tick
	// has more ids than a ring need hold.
	defaultRingLimit = 1 << 22
)

// maxSegment is how long a segment may be: a wall clock that was set is noticed after at most that
// long.
const maxSegment = time.Millisecond

// withDefaults fills in the fields that were left zero. BoostPower stays as it is: whether it
// was set decides how large the ring may get.
func (c settings) withDefaults() settings {
	c.Layout = cmp.Or(c.Layout, DefaultLayout())
	c.PaddingFactor = cmp.Or(c.PaddingFactor, defaultPaddingFactor)
	c.MaxLag = cmp.Or(c.MaxLag, min(defaultMaxLag, defaultMaxLagTicks*c.Layout.Unit))
	c.spread = time.Second
	if c.device == nil {
		c.device, c.ofProcess = device, generation.OfProcess
	}
	c.Logger = asynclog.Logger(cmp.Or(c.Logger, slog.Default()))
	if c.ClockBack == nil {
		c.ClockBack = policy.Refuse
	}
	if c.TickFull == nil {
		c.TickFull = policy.WaitNext
	}
	if n, ok := c.TickFull.(policy.BorrowAhead); ok {
		c.borrow = int64(max(n, 1))
	}
	if c.Now == nil { // any other clock may show anything
		c.Now, c.maxSegment = time.Now, maxSegment
	}
	return c
}

// tickIDs is how many ids a tick has.
func (c settings) tickIDs() int64 { return c.Layout.maxSeq() - c.MinSeq + 1 }

// firstAbove returns the first tick, counted from the Unix epoch, in which all ids of a worker
// id are greater than Above; math.MinInt64 if any tick will do, math.MaxInt64 if none does.
func (c settings) firstAbove(workerID int64) int64 {
	if c.Above == 0 {
		return math.MinInt64
	}
	f, tick, epoch := c.Layout.fields(), int64(0), c.Layout.epochTick()
	if lowest := f.compose(Parts{Worker: workerID}); lowest <= c.Above {
		tick = int64(c.Above-lowest)>>f.time.shift + 1
	}
	if !fits(tick, f.time.bits) || epoch > 0 && tick > math.MaxInt64-epoch {
		return math.MaxInt64
	}
	return epoch + tick
}

// hasAbove refuses a worker id for which the layout has no ids above Above.
func (c settings) hasAbove(workerID int64) error {
	if c.firstAbove(workerID) < math.MaxInt64 {
		return nil
	}
	return fmt.Errorf("%w: Above is %d, and the layout %v has no ids above it with worker id %d: "+
		"choose a layout, or a worker id, whose ids are greater", ErrConfig, c.Above, c.Layout, workerID)
}

// validate says which setting is invalid and what to do about it. Defaults have been
// filled in.
func (c settings) validate() error {
	if err := c.Layout.Validate(); err != nil {
		return err
	}
	ids := c.tickIDs()
	for _, s := range []struct {
		ok    bool
		name  string
		value any
		to    string
	}{
		{1 <= c.PaddingFactor && c.PaddingFactor <= 99, "PaddingFactor", c.PaddingFactor,
			"a percentage from 1 to 99"},
		{c.BoostPower >= 0, "BoostPower", c.BoostPower, "1 or more, or leave it 0 for 3"},
		{c.RingSize >= 0, "RingSize", c.RingSize, "a number of ids"},
		{c.ScheduleInterval == 0 || c.ScheduleInterval >= leastInterval, "ScheduleInterval",
			c.ScheduleInterval, fmt.Sprintf("%v or more, or leave it 0 for none", leastInterval)},
		{c.Above >= 0, "Above", c.Above, "an id that exists, or leave it 0 for none"},
		{c.MaxAhead >= 0, "MaxAhead", c.MaxAhead, "a positive time, or leave it 0 for no bound"},
		{c.OnLeaseLost <= policy.GiveUp, "OnLeaseLost", c.OnLeaseLost,
			"policy.Reacquire or policy.GiveUp"},
		{fits(c.MinSeq, c.Layout.SeqBits), "MinSeq", c.MinSeq,
			fmt.Sprintf("0 to %d", c.Layout.maxSeq())},
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
	_, borrows := full.(policy.BorrowAhead)
	return borrows || full == policy.WaitNext || full == policy.FailNow
}

// validateClockBack checks that the layout has what the policy needs.
func (c settings) validateClockBack() error {
	switch back := c.ClockBack.(type) {
	case policy.WaitUpTo:
	case policy.Reserved:
		if back.First < 0 || back.First > back.Last || back.Last >= c.MinSeq {
			return fmt.Errorf("%w: the ClockBack policy reserves the numbers %d to %d, and MinSeq is %d: "+
				"reserve numbers from 0 on that are below it", ErrConfig, back.First, back.Last, c.MinSeq)
		}
	default:
		switch {
		case back == policy.Turn && c.Layout.TurnBits == 0:
			return fmt.Errorf("%w: the ClockBack policy flips the turn bit, and the layout %v has none: "+
				"set TurnBits to 1", ErrConfig, c.Layout)
		case back != policy.Refuse && back != policy.GoOn && back != policy.Turn:
			return fmt.Errorf("%w: ClockBack is %v: set it to a policy of package policy", ErrConfig, back)
		}
	}
	return nil
}

// checkTime refuses a layout whose time has not begun or is over.
func (c settings) checkTime() error {
	now, end := c.Now(), c.Layout.End()
	switch {
	case now.Before(c.Layout.Epoch):
		what := "set an epoch in the past, or the clock"
		if now.UTC().Year() == 2000 { // when a bubble's clock begins
			what = "in a bubble of testing/synctest set Config.Layout.Epoch to time.Now()"
		}
		return fmt.Errorf("%w: its epoch, %s, is ahead of now, %s: %s", ErrLayout,
			timeString(c.Layout.Epoch), timeString(now), what)
	case !now.Before(end):
		return fmt.Errorf("%w: %v ended at %s, and the clock shows %s: set the clock if it is wrong; "+
			"else choose a later epoch or more time bits, "+
			"and see that old and new ids cannot be equal", ErrTimeOver, c.Layout, timeString(end),
			timeString(now))
	case end.Before(now.AddDate(1, 0, 0)):
		c.Logger.Warn("the layout's time is over in less than a year", "layout", c.Layout.String(), "end",
			end)
	}
	return nil
}
