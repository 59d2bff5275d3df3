package uid

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/policy"
)

// Config sets up a generator. Zero fields mean the documented default. Settings that only
// NewDefault or only NewCached has say so, and the other constructor refuses them.
type Config struct {
	// Layout of the ids. Zero: DefaultLayout.
	Layout Layout

	// Above is an id that exists, whatever made it: all ids of the generator are greater. So the
	// ids of a sequence, or of another generator that has stopped, stay below. The first id is of
	// a tick after the one that Above has in this layout. The constructors refuse an Above if the
	// first id's tick neither has begun nor begins within five seconds; a cached generator may
	// begin further ahead, as far as MaxAhead and the lease let it borrow. Zero: any id will do.
	Above ID

	// MinSeq and MaxSeq are the first and the last sequence number of a tick. Numbers below and
	// above them are left to a ClockBack policy and to Layout.Compose. Zero: 0, and the largest
	// that the layout holds, which leaves none.
	MinSeq, MaxSeq int64

	// RandomSeq, when above 1, makes a default generator begin each tick at a random one
	// of the first RandomSeq numbers, so that ids taken one at a time are not all even.
	// For NewDefault.
	RandomSeq int64

	// Turn is the first value of the layout's turn bit, 0 or 1. A default generator
	// flips it when its ClockBack policy says so, a cached one never does.
	Turn int64

	// ClockBack is what a default generator does when the clock was set back. It notices that
	// within a millisecond; while it continues in ticks of the future, because of
	// policy.BorrowAhead or because the grant begins there, it notices only when that ends. Nil:
	// policy.Refuse. For NewDefault. A cached generator continues where it was. At MaxAhead, or
	// with a worker id that is not fenced, it waits until the clock has caught up, and its error
	// and a line in the log say so.
	ClockBack policy.ClockBack

	// TickFull is what a default generator does when a tick is full. Zero: policy.WaitNext. In a
	// grant that began ahead of the clock, the next tick follows at the clock's pace, and only
	// policy.FailNow does not wait for it. For NewDefault. Cached generators continue in the next
	// tick, see MaxAhead.
	TickFull policy.TickFull

	// BoostPower sizes the ring of a cached generator: the ids of a tick, times 2^BoostPower.
	// Zero: 3, but at most 2^22 ids in all. A BoostPower that is set is limited only by memory:
	// the ring's slots may take 256 MiB.
	// RingSize makes smaller rings. For NewCached.
	BoostPower int

	// RingSize, if set, is the number of ids that the ring holds, rounded up to a power of two of
	// spans. Then BoostPower must not be set. For NewCached.
	RingSize int64

	// PaddingFactor is a percentage, 1 to 99: the ring is refilled when less than that
	// percentage of the ids that it can hold is left. Zero: 50. For NewCached.
	PaddingFactor int

	// ScheduleInterval, if set, also refills the ring at this interval, 10 ms or more:
	// at 10 ms that takes about 2 % of a CPU. For NewCached.
	ScheduleInterval time.Duration

	// MaxAhead bounds how far into the future ids may be borrowed: no tick is
	// used more than this long before it begins. Zero: no bound but the lease's
	// and the layout's. The log says once that ids are more than 65 seconds ahead (four
	// ticks and five seconds, if those are longer), and once that the clock has caught up.
	// For NewCached: with a default generator TickFull decides.
	MaxAhead time.Duration

	// MaxLag bounds the age of ids that are handed out: those whose tick ended longer ago are
	// dropped, including those that streams hold. Without takes the ring becomes empty, and the
	// next take refills it. If newer ids cannot be made, because the lease grants no more, the
	// old ones are handed out. Takes read no clock, so the bound holds as long as the padder gets
	// a CPU within half of MaxLag. Zero: one second, or ten ticks if that is less. Negative: no
	// bound. For NewCached: a default generator keeps no ids.
	MaxLag time.Duration

	// RejectPut decides about the rest of a tick that does not fit into the
	// ring. Nil: policy.Keep. For NewCached.
	RejectPut policy.RejectPut

	// RejectTake decides, once, about a take that finds the ring empty. Nil: the take waits in
	// line for its id. For NewCached.
	RejectTake policy.RejectTake

	// AllowRepeats accepts that a worker id which is not fenced (worker.Static, Ordinal,
	// FromEnv, AllowUnfenced) may repeat ids from before a restart. Without it, such a worker
	// id uses only ticks that begin after it was assigned, and none in advance: the first id
	// waits for the next tick, nothing is borrowed from the future, and a tick must not be
	// longer than five seconds. Set it for benchmarks, for tests whose clock stands still, and
	// where no id outlives the process. It has no effect on worker ids that are fenced, never
	// reused, or of worker.Leased, which grants them ticks.
	AllowRepeats bool

	// OnLeaseLost decides what happens when the lease on the worker id is lost.
	// Zero: policy.Reacquire.
	OnLeaseLost policy.LeaseLost

	// Now is the wall clock. Nil: time.Now. For deterministic tests. It is called
	// from several goroutines, and must not call the generator. A default generator
	// calls it for each id, which makes a take several times as slow.
	Now func() time.Time

	// Logger gets a line for each change of state, never for an id. Nil: slog.Default().
	// The handler may block, panic, take an id or close the generator: only Close waits
	// for it, for a second at most, so that the last lines are written.
	Logger *slog.Logger
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

// withDefaults fills in the fields that were left zero. BoostPower stays as it is: whether it
// was set decides how large the ring may get.
func (c Config) withDefaults() Config {
	c.Layout = cmp.Or(c.Layout, DefaultLayout())
	c.PaddingFactor = cmp.Or(c.PaddingFactor, defaultPaddingFactor)
	c.MaxLag = cmp.Or(c.MaxLag, min(defaultMaxLag, defaultMaxLagTicks*c.Layout.Unit))
	c.Logger = asynclog.Logger(cmp.Or(c.Logger, slog.Default()))
	c.MaxSeq = cmp.Or(c.MaxSeq, c.Layout.maxSeq())
	if c.ClockBack == nil {
		c.ClockBack = policy.Refuse
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// tickIDs is how many ids a tick has.
func (c Config) tickIDs() int64 { return c.MaxSeq - c.MinSeq + 1 }
