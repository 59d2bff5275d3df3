package uid

import (
	"context"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// DefaultGenerator makes one id per call from the clock, as Baidu's DefaultUidGenerator,
// Twitter's Snowflake and their descendants do: the current tick and the next number of its
// sequence. With the default policies it gives at most a tick's ids per tick, 8192 a second
// with the default layout, and none ahead of the clock, with one exception: if the worker id
// is granted from a later tick on, as in a new pool of [worker.Leased], ids begin there at
// once, up to a minute ahead (two ticks, if those are longer). They move to the next tick when
// the ids of one are used up, but no faster than the clock, until the clock has caught up.
// Until then ClockBack is not asked, and TickFull is asked only whether to wait.
//
// Other generators hold a lock, and spin under it until the next tick. Here a call reads the
// monotonic clock and does one fetch-and-add (see term in the source); if the tick is used up,
// the call waits in line for the next, first come first served. Only the first in line looks
// at the clock, so a tick costs what it hands out, however many calls wait.
//
// The wall clock and the lease are checked when a tick begins, and at least once in each
// millisecond in which ids are taken. So a wall clock that is set, or that jumps when the
// machine wakes up, is noticed within a millisecond. Until then ids continue in the
// previous tick, none of them twice. The end of a grant is also noticed within a
// millisecond; a lost lease, AfterRestore and Close end the tick at once. With
// Config.Now, everything is checked for each id.
//
// Ids increase in the order in which they are made, with two exceptions: the ClockBack policy
// goes back in time with the clock, or the worker id changes in a layout that has it above the
// time ([WorkerTimeSequence]). All methods may be called from any number of goroutines.
type DefaultGenerator struct {
	core
	trust time.Duration // how long the monotonic clock alone is relied on
	seq   sequence
	named sync.Map // from a name to its *sequence, which never changes
}

// NewDefault is Baidu's DefaultUidGenerator, with the policies of other systems, and with Baidu's
// bits unless you set others. It makes no ids in advance: use it for ids that show when they were
// taken, and for those of another system; for anything else use [New]. NewDefault acquires a worker
// id. With one that is not fenced, the first ids are those of the next tick: see
// DefaultConfig.AllowRepeats. ctx bounds only the start. Errors wrap ErrConfig, ErrLayout,
// ErrTimeOver, ErrWorkerID, or come from the assigner.
func NewDefault(ctx context.Context, a worker.Assigner, c DefaultConfig) (*DefaultGenerator,
	error) {
	return newDefault(ctx, a, c.settings())
}

func newDefault(ctx context.Context, a worker.Assigner, c settings) (*DefaultGenerator, error) {
	g := &DefaultGenerator{trust: trust}
	if c.Now != nil { // that clock may show anything
		g.trust = 0
	}
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	if err := g.open(ctx, g, a, c, 0); err != nil {
		return nil, err
	}
	g.seq.begin(g)
	g.startFollowing()
	return g, nil
}

// GetUID returns the next id of the current tick, or of the first one that is granted, if that
// lies ahead of the clock. When the tick is used up, GetUID waits for the next, if that begins
// within five seconds. Errors wrap ErrClockBack, ErrTickFull, ErrAhead, ErrGrantEnded,
// ErrTimeOver, ErrLeaseLost or ErrClosed.
func (g *DefaultGenerator) GetUID() (ID, error) {
	// getUID written out, which saves a call.
	now := time.Since(g.start)
	cur := g.seq.cur.Load()
	if v, last := cur.claim(now); v <= last {
		return cur.id(v), nil
	}
	id, _, err := g.take(noContext, &g.seq, 1)
	return id, err
}

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (g *DefaultGenerator) GetUIDContext(ctx context.Context) (ID, error) {
	return g.getUID(ctx, &g.seq)
}

// GetUIDFor returns the next id of a name, as raindrop's NewIdByCode does: ids of different
// names may be equal, by design, and may equal those of GetUID. Use one name for each table or
// kind of thing whose ids must differ, and never mix them. Any string is a name, even an empty
// one. GetUIDFor waits as long as ctx lasts.
//
// Ids of one name are unique, and ordered as the generator's are. Each name has all ids of a
// tick to itself, whatever is taken for others. A name takes about 900 bytes for as long as
// the generator lives: use names of tables and kinds, of which there are thousands at most,
// and not of customers or requests.
func (g *DefaultGenerator) GetUIDFor(ctx context.Context, name string) (ID, error) {
	s, ok := g.named.Load(name)
	if !ok { // a copy, since a name in a buffer that is used again must not change here
		s, _ = g.named.LoadOrStore(strings.Clone(name), new(sequence).begin(g))
	}
	return g.getUID(ctx, s.(*sequence))
}

func (g *DefaultGenerator) getUID(ctx context.Context, s *sequence) (ID, error) {
	now, cur := g.mono(), s.cur.Load()
	if v, last := cur.claim(now); v <= last {
		return cur.id(v), nil
	}
	id, _, err := g.take(ctx, s, 1)
	return id, err
}

func (g *DefaultGenerator) span(ctx context.Context, limit int) (first ID, n int, err error) {
	cur := g.seq.cur.Load()
	if v, n, ok := cur.claimUpTo(g.mono(), limit); ok {
		return cur.id(v), n, nil
	}
	return g.take(ctx, &g.seq, limit)
}

// stop ends all laps. Nothing is handed out any more, since the generator's life has ended.
func (g *DefaultGenerator) stop() { g.renewAll() }

func (g *DefaultGenerator) ready() *block {
	_, _, b := g.try(&g.seq, none)
	return b
}

func (g *DefaultGenerator) grantChanged() { g.grants.Send() }

// change takes the sequences away from calls that are halfway through.
func (g *DefaultGenerator) change(_ bool, do func()) (last int64) {
	do()
	last = g.renewAll()
	g.grantChanged()
	return last
}

// renewAll ends the terms of all sequences and returns the highest tick in them, counted from
// the Unix epoch.
func (g *DefaultGenerator) renewAll() (last int64) {
	highest := int64(-1)
	g.eachSequence(func(s *sequence) { highest = max(highest, g.renew(s)) })
	return g.unixTickOf(highest)
}

// unixTickOf counts a tick from the Unix epoch; math.MinInt64 for -1, which is none.
func (g *DefaultGenerator) unixTickOf(tick int64) int64 {
	if tick < 0 {
		return math.MinInt64
	}
	return g.firstTick + tick
}

// totals returns the highest tick of all sequences, or -1, and how many ids were given out.
func (g *DefaultGenerator) totals() (highest, taken int64) {
	highest = -1
	g.eachSequence(func(s *sequence) {
		last, n := s.given()
		highest, taken = max(highest, last), taken+n
	})
	return highest, taken
}

// lastMinted returns the highest tick of an id, counted from the Unix epoch.
func (g *DefaultGenerator) lastMinted() int64 {
	highest, _ := g.totals()
	return g.unixTickOf(highest)
}

func (g *DefaultGenerator) count(s *Stats) {
	_, s.Taken = g.totals()
}
