package uid

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
)

// New makes the generator to use: a [CachedGenerator] that is right for everybody. It acquires a
// worker id and starts the padder. With a worker id that is not fenced, the first
// ids are those of the next tick: see Config.AllowRepeats. ctx bounds only the start. Errors wrap
// ErrConfig, ErrLayout, ErrTimeOver, ErrWorkerID, or come from the assigner.
func New(ctx context.Context, a worker.Assigner, c Config) (*CachedGenerator, error) {
	return newCached(ctx, a, c.settings())
}

// Config sets up the generator of [New]. Zero fields mean the documented default.
type Config struct {
	// Layout of the ids. Zero: SnowflakeLayout.
	Layout Layout

	// Above is an id that exists, whatever made it: all ids of the generator are greater. So the
	// ids of a sequence, or of another generator that has stopped, stay below. The first id is of
	// a tick after the one that Above has in this layout. That tick must have begun, or begin
	// within five seconds, or be one that may be borrowed. Zero: any id will do.
	Above ID

	// RingSize is the number of ids that the ring holds, rounded up to a power of two of spans.
	// Its slots may take 256 MiB. Zero: the ids of eight ticks, but at most 2^22.
	RingSize int64

	// MaxAhead bounds how far into the future ids may be borrowed: no tick is used more than this
	// long before it begins. Zero: no bound but the lease's and the layout's. The log says once
	// that ids are more than 65 seconds ahead (four ticks and five seconds, if those are longer),
	// and once that the clock has caught up.
	MaxAhead time.Duration

	// MaxLag bounds the age of ids that are in the ring, or held by streams: those whose tick
	// ended longer ago are dropped. Takes from the ring read no clock, so the bound holds as long
	// as the padder gets a CPU within half of MaxLag. If newer ids cannot be made, because the
	// lease grants no more, the old ones are handed out. Zero: one second, or ten ticks if that is
	// less. Negative: no bound, and all ids come from a ring that is kept full, as in Baidu's.
	MaxLag time.Duration

	// RejectTake decides, once, about a take for which there is no id: the ring is empty, and no
	// tick may be minted now. Nil: the take waits in the queue for its id.
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

	// Generation shows that the machine was copied: a number that is set, before a copy runs, to a
	// value that it never had. Then nothing is handed out that was made before, the worker id is
	// given up and, if it is not fenced, no more ids are made. See [MapGeneration].
	// Nil: vm_generation_counter of /dev/vmclock0, if that is there and can be read; else, on Linux,
	// one by which a child that was forked makes no ids. A number of one's own, new(atomic.Uint64),
	// leaves the device alone.
	Generation *atomic.Uint64

	// Now is the wall clock. Nil: time.Now. For deterministic tests. It is called
	// from several goroutines, and must not call the generator.
	Now func() time.Time

	// Logger gets a line for each change of state, never for an id. Nil: slog.Default().
	// The handler may block, panic, take an id or close the generator: only Close waits
	// for it, for a second at most, so that the last lines are written.
	Logger *slog.Logger
}

// NewCached is Baidu's CachedUidGenerator, with its settings, and with its bits unless you set
// others. It is [New] otherwise.
func NewCached(ctx context.Context, a worker.Assigner, c CachedConfig) (*CachedGenerator, error) {
	return newCached(ctx, a, c.settings())
}

// CachedConfig sets up the generator of [NewCached]. Zero fields mean the documented default.
type CachedConfig struct {
	// Layout of the ids. Zero: DefaultLayout.
	Layout Layout

	// BoostPower sizes the ring: it holds the ids of a tick, times 2^BoostPower. Its slots may
	// take 256 MiB. Zero: 3, but at most 2^22 ids in all.
	BoostPower int

	// PaddingFactor is a percentage, 1 to 99: the ring is refilled when less than that
	// percentage of the ids that it can hold is left. Zero: 50.
	PaddingFactor int

	// ScheduleInterval, if set, also refills the ring at this interval, 10 ms or more:
	// at 10 ms that takes about 2 % of a CPU.
	ScheduleInterval time.Duration

	// RejectPut decides about the ids of a tick that do not fit into the ring. Nil: they are
	// put at the next refill.
	RejectPut policy.RejectPut

	// This and the others are those of [Config].
	Above        ID
	MaxAhead     time.Duration
	MaxLag       time.Duration
	RejectTake   policy.RejectTake
	AllowRepeats bool
	OnLeaseLost  policy.LeaseLost
	Generation   *atomic.Uint64
	Now          func() time.Time
	Logger       *slog.Logger
}

// NewDefault is Baidu's DefaultUidGenerator, with the policies of other systems, and with Baidu's
// bits unless you set others. It makes no ids in advance: use it for ids by the rules of another
// system; for anything else use [New]. NewDefault acquires a worker id. With one that is not
// fenced, the first ids are those of the next tick: see Config.AllowRepeats. ctx bounds only the
// start. Errors wrap ErrConfig, ErrLayout, ErrTimeOver, ErrWorkerID, or come from the assigner.
func NewDefault(ctx context.Context, a worker.Assigner, c DefaultConfig) (*DefaultGenerator,
	error) {
	return newDefault(ctx, a, c.settings())
}

// DefaultConfig sets up the generator of [NewDefault]. Zero fields mean the documented default.
type DefaultConfig struct {
	// Layout of the ids. Zero: DefaultLayout.
	Layout Layout

	// MinSeq is the first sequence number of a tick. Numbers below it are left to a ClockBack
	// policy and to Layout.Compose.
	MinSeq int64

	// RandomSeq, when above 1, makes each tick begin at a random one of the first RandomSeq
	// numbers, so that ids taken one at a time are not all even.
	RandomSeq int64

	// Turn is the first value of the layout's turn bit, 0 or 1. It flips when the ClockBack
	// policy says so.
	Turn int64

	// ClockBack decides what happens when the clock was set back. That is noticed within a
	// millisecond; while ids are of the future, because of policy.BorrowAhead or because the
	// grant begins there, it is noticed only when that ends. Nil: policy.Refuse.
	ClockBack policy.ClockBack

	// TickFull decides what happens when the ids of a tick are used up. Nil: policy.WaitNext. In
	// a grant that began ahead of the clock, the next tick follows at the clock's pace, and only
	// policy.FailNow does not wait for it.
	TickFull policy.TickFull

	// This and the others are those of [Config]. Above's tick cannot be borrowed. Now is called for
	// each id, which makes a take several times as slow.
	Above        ID
	AllowRepeats bool
	OnLeaseLost  policy.LeaseLost
	Generation   *atomic.Uint64
	Now          func() time.Time
	Logger       *slog.Logger
}

func (c Config) settings() settings {
	return settings{Layout: cmp.Or(c.Layout, SnowflakeLayout()), Above: c.Above,
		RingSize: c.RingSize, MaxAhead: c.MaxAhead, MaxLag: c.MaxLag, RejectTake: c.RejectTake,
		AllowRepeats: c.AllowRepeats, OnLeaseLost: c.OnLeaseLost, Generation: c.Generation, Now: c.Now,
		Logger: c.Logger}
}

func (c CachedConfig) settings() settings {
	return settings{Layout: c.Layout, Above: c.Above, BoostPower: c.BoostPower,
		PaddingFactor: c.PaddingFactor, ScheduleInterval: c.ScheduleInterval, MaxAhead: c.MaxAhead,
		MaxLag: c.MaxLag, RejectPut: c.RejectPut, RejectTake: c.RejectTake,
		AllowRepeats: c.AllowRepeats, OnLeaseLost: c.OnLeaseLost, Generation: c.Generation, Now: c.Now,
		Logger: c.Logger}
}

func (c DefaultConfig) settings() settings {
	return settings{Layout: c.Layout, Above: c.Above, MinSeq: c.MinSeq,
		RandomSeq: c.RandomSeq, Turn: c.Turn, ClockBack: c.ClockBack, TickFull: c.TickFull,
		AllowRepeats: c.AllowRepeats, OnLeaseLost: c.OnLeaseLost, Generation: c.Generation, Now: c.Now,
		Logger: c.Logger}
}
