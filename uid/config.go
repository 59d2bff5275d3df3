package uid

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"math/bits"
	"time"

	"github.com/ringuid/ringuid/internal/decision"
	"github.com/ringuid/ringuid/internal/notice"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
)

// Config sets up a generator. Zero fields mean the documented default.
type Config struct {
	// Layout of the ids. Zero: DefaultLayout.
	Layout Layout

	// MinSeq and MaxSeq are the first and the last sequence number of a tick.
	// Numbers below and above are left to a ClockBack policy and to Backfill.
	// Zero: 0, and the largest that the layout holds, which leaves none.
	MinSeq, MaxSeq int64

	// RandomSeq, when above 1, lets a default generator begin each tick at a
	// random one of the first so many numbers, so that ids taken one at a time are
	// not all even. Cached generators, whose ids are consecutive, ignore it.
	RandomSeq int64

	// Turn is the first value of the layout's turn bit, 0 or 1. A default generator
	// flips it when its ClockBack policy says so, a cached one never does.
	Turn int64

	// ClockBack decides what a default generator does when the clock was set
	// back, which it notices within a millisecond. Nil: policy.Refuse. Cached
	// generators do not notice a clock that was set back.
	ClockBack policy.ClockBack

	// TickFull decides what a default generator does when a tick is full. Nil:
	// policy.WaitNext. Cached generators go on in the next tick, see MaxAhead.
	TickFull policy.TickFull

	// KeyedNames is how many names have a sequence of their own in
	// DefaultGenerator.Keyed, 1 to 1048576; further names share. A name in use
	// takes about 600 bytes. Zero: 4096. Cached generators have no Keyed.
	KeyedNames int

	// BoostPower sizes the ring of a cached generator: the ids of a tick, times
	// two to the BoostPower. Zero: 3, but at most 2^22 ids in all. NoBoost: the
	// ids of one tick. A BoostPower that is set is limited by memory alone: the
	// ring's slots may take 256 MiB. Default generators ignore it.
	BoostPower int

	// RingSize, when set, is the number of ids that the ring holds, and
	// BoostPower is ignored. It is rounded up to a power of two of spans.
	RingSize int64

	// Relaxed puts a span of ids per CPU in front of the ring, so that GetUID
	// scales with the CPUs. Ids are as unique as ever, but in no order at all, not
	// even for one goroutine.
	Relaxed bool

	// PaddingFactor: the ring is refilled when fewer than this percentage of
	// the ids that it holds is left, 1 to 99. Zero: 50.
	PaddingFactor int

	// ScheduleInterval, when set, also refills the ring at this interval, 10 ms
	// or more.
	ScheduleInterval time.Duration

	// MaxAhead bounds how far into the future ids may be borrowed: no tick is
	// minted more than this long before it begins. Zero: no bound but the lease's
	// and the layout's. Default generators ignore it: their TickFull policy
	// decides.
	MaxAhead time.Duration

	// MaxLag bounds the age of ids that are handed out: those whose tick ended
	// longer ago are replaced by newer ones, also those that streams and CPUs
	// hold. Where newer ones cannot be minted, because the lease grants no more,
	// the old ones are handed out. Takes read no clock, so the bound holds as long
	// as the padder gets a CPU within half of MaxLag. Zero: one second. Negative:
	// no bound. Default generators keep no ids, and ignore it.
	MaxLag time.Duration

	// RejectPut decides about the rest of a tick that does not fit into the
	// ring. Nil: policy.Keep.
	RejectPut policy.RejectPut

	// RejectTake decides about a take that finds the ring empty. Nil: the take
	// waits in line and is handed the first id that is there for it.
	RejectTake policy.RejectTake

	// AllowRepeats accepts that a worker id which is not fenced (worker.Static,
	// Ordinal, FromEnv, Claim.AllowUnfenced) may repeat ids from before a restart.
	// Without it, such a worker id mints only ticks that begin after it was got,
	// and none in advance: the first id waits for the next tick, nothing is
	// borrowed from the future, and a tick must not be longer than five seconds.
	// Set it for benchmarks, for tests whose clock stands still, and where no id
	// outlives the process. Fenced worker ids and those that are never reused
	// ignore it.
	AllowRepeats bool

	// OnLeaseLost decides what happens when the lease on the worker id is lost.
	// Zero: policy.Reacquire.
	OnLeaseLost policy.LeaseLost

	// Now is the wall clock. Nil: time.Now. For deterministic tests. It is called
	// from several goroutines, and must not call the generator. A default generator
	// calls it for each id, which makes an id several times as slow.
	Now func() time.Time

	// Logger receives a line on each change of state, never per id. Nil:
	// slog.Default(). The handler may block, panic, take an id or close the
	// generator: nothing waits for it but Close, for a second at most, so that the
	// last lines are written.
	Logger *slog.Logger
}

// NoBoost is a Config.BoostPower of zero, which says 3 there: a ring for one tick.
const NoBoost = -1

const (
	defaultBoostPower    = 3
	defaultPaddingFactor = 50
	defaultMaxLag        = time.Second

	// leastInterval is 0.1 % of a CPU.
	leastInterval = 10 * time.Millisecond

	// defaultRingLimit bounds a ring whose size nobody asked for: a layout of
	// long ticks has more ids in one than a ring need hold.
	defaultRingLimit = 1 << 22
)

// withDefaults fills in what was left zero. BoostPower stays as it is: whether
// it was set decides how large the ring may get.
func (c Config) withDefaults() Config {
	if c.Layout == (Layout{}) {
		c.Layout = DefaultLayout
	}
	c.KeyedNames = cmp.Or(c.KeyedNames, defaultKeyedNames)
	c.PaddingFactor = cmp.Or(c.PaddingFactor, defaultPaddingFactor)
	c.MaxLag = cmp.Or(c.MaxLag, defaultMaxLag)
	c.Logger = notice.Logger(cmp.Or(c.Logger, slog.Default()))
	if c.MaxSeq == 0 {
		c.MaxSeq = c.Layout.maxSeq()
	}
	if c.ClockBack == nil {
		c.ClockBack = policy.Refuse
	}
	if c.TickFull == nil {
		c.TickFull = policy.WaitNext
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func (c Config) validate() error {
	if err := c.Layout.Validate(); err != nil {
		return err
	}
	switch {
	case c.KeyedNames < 1 || c.KeyedNames > maxKeyedNames:
		return fmt.Errorf("%w: KeyedNames is %d: set it to 1 to %d, or leave it 0 for %d", ErrConfig, c.KeyedNames, maxKeyedNames, defaultKeyedNames)
	case c.PaddingFactor < 1 || c.PaddingFactor > 99:
		return fmt.Errorf("%w: PaddingFactor is %d: set it to a percentage from 1 to 99", ErrConfig, c.PaddingFactor)
	case c.BoostPower < NoBoost:
		return fmt.Errorf("%w: BoostPower is %d: set it to 1 or more, to NoBoost, or set RingSize", ErrConfig, c.BoostPower)
	case c.RingSize < 0:
		return fmt.Errorf("%w: RingSize is %d: set it to a number of ids", ErrConfig, c.RingSize)
	case c.ScheduleInterval != 0 && c.ScheduleInterval < leastInterval:
		return fmt.Errorf("%w: ScheduleInterval is %v: set it to %v or more, or leave it 0 for none", ErrConfig, c.ScheduleInterval, leastInterval)
	case c.MaxAhead < 0:
		return fmt.Errorf("%w: MaxAhead is %v: set it to a positive time, or leave it 0 for no bound", ErrConfig, c.MaxAhead)
	case c.OnLeaseLost > policy.GiveUp:
		return fmt.Errorf("%w: OnLeaseLost is %d: set it to policy.Reacquire or policy.GiveUp", ErrConfig, c.OnLeaseLost)
	}
	return c.validateSeq()
}

// validateSeq checks the sequence numbers and that the layout can carry out what
// the ClockBack policy decides.
func (c Config) validateSeq() error {
	switch {
	case c.MaxSeq < 0 || c.MaxSeq > c.Layout.maxSeq():
		return fmt.Errorf("%w: MaxSeq is %d: set it to 1 to %d, or leave it 0 for the largest", ErrConfig, c.MaxSeq, c.Layout.maxSeq())
	case c.MinSeq < 0 || c.MinSeq > c.MaxSeq:
		return fmt.Errorf("%w: MinSeq is %d: set it to 0 to MaxSeq, %d", ErrConfig, c.MinSeq, c.MaxSeq)
	case c.RandomSeq < 0 || c.RandomSeq > c.tickIDs():
		return fmt.Errorf("%w: RandomSeq is %d: set it to 0 to the %d ids of a tick", ErrConfig, c.RandomSeq, c.tickIDs())
	case !fits(c.Turn, c.Layout.TurnBits):
		return fmt.Errorf("%w: Turn is %d: with TurnBits %d set it to 0 to %d", ErrConfig, c.Turn, c.Layout.TurnBits, mask(c.Layout.TurnBits))
	}
	return c.canBack(c.ClockBack(policy.Back{By: c.Layout.Unit}))
}

// canBack says why a decision about the clock cannot be carried out.
func (c *Config) canBack(d policy.BackDecision) error {
	switch {
	case d.Action == decision.Turn && c.Layout.TurnBits == 0:
		return fmt.Errorf("%w: the ClockBack policy flips the turn bit, and the layout %v has none: set TurnBits to 1", ErrConfig, c.Layout)
	case d.Action == decision.Reserved && !c.keeps(d.First, d.Last):
		return fmt.Errorf("%w: the ClockBack policy reserves the numbers %d to %d, and a tick gives out MinSeq %d to MaxSeq %d of 0 to %d: reserve numbers below or above those",
			ErrConfig, d.First, d.Last, c.MinSeq, c.MaxSeq, c.Layout.maxSeq())
	}
	return nil
}

// keeps reports whether all of the numbers from first to last lie before, or all
// behind, those that a tick gives out.
func (c *Config) keeps(first, last int64) bool {
	return 0 <= first && first <= last && (last < c.MinSeq || first > c.MaxSeq && last <= c.Layout.maxSeq())
}

// rules are the settings of a default generator.
func (c Config) rules() rules {
	return rules{c.Layout, c.MinSeq, c.MaxSeq, c.RandomSeq, c.Turn, c.ClockBack, c.TickFull}
}

// tickIDs is how many ids a tick has.
func (c Config) tickIDs() int64 { return c.MaxSeq - c.MinSeq + 1 }

// coarseness: a slot holds at most this part of the ring, so that slots are counted
// where ids are meant.
const coarseness = 16

// initRing makes the ring of the size that the settings ask for, and returns how
// many ids go into a slot of it.
func (c Config) initRing(r *ringbuffer.Ring) (perSlot int64, err error) {
	tick := c.tickIDs()
	ids, setting := c.ringIDs(tick)
	most := min(ringbuffer.MaxSpan, floorPowerOfTwo(max(ids/coarseness, 1)))
	slots := (tick-1)/most + 1    // of a tick,
	perSlot = (tick-1)/slots + 1  // which are equally full
	wanted := (ids-1)/perSlot + 1 // of the ring
	if wanted > ringbuffer.MaxSlots {
		return 0, fmt.Errorf("%w: %s makes a ring of %s ids, which does not fit into 256 MiB: at most %d ids do; a ring need not hold a whole tick",
			ErrConfig, setting, count(ids), perSlot*ringbuffer.MaxSlots)
	}
	return perSlot, r.Init(int(ceilPowerOfTwo(wanted)), int(perSlot), c.Layout.TailBits, c.Layout.Tail)
}

// ringIDs is how many ids the ring shall hold, math.MaxInt64 for too many to
// count, and the setting that says so.
func (c Config) ringIDs(tick int64) (ids int64, setting string) {
	switch {
	case c.RingSize > 0:
		return c.RingSize, fmt.Sprintf("RingSize %d", c.RingSize)
	case c.BoostPower == NoBoost:
		return tick, fmt.Sprintf("NoBoost with %d ids in a tick", tick)
	case c.BoostPower > 0:
		return shiftUp(tick, c.BoostPower), fmt.Sprintf("BoostPower %d with %d ids in a tick", c.BoostPower, tick)
	}
	return min(shiftUp(tick, defaultBoostPower), defaultRingLimit), "the default"
}

// shiftUp is n<<by, or math.MaxInt64 when that overflows.
func shiftUp(n int64, by int) int64 {
	if by > idBits-bits.Len64(uint64(n)) {
		return math.MaxInt64
	}
	return n << by
}

func count(n int64) string {
	if n == math.MaxInt64 {
		return "2^63 or more"
	}
	return fmt.Sprint(n)
}

// floorPowerOfTwo is the largest power of two that is not above n, which is 1 or
// more.
func floorPowerOfTwo(n int64) int64 { return 1 << (bits.Len64(uint64(n)) - 1) }

// ceilPowerOfTwo is the smallest power of two that is not below n, which is 1 or
// more.
func ceilPowerOfTwo(n int64) int64 { return 1 << bits.Len64(uint64(n-1)) }
