package uid

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/ringuid/ringuid/worker"
)

// DefaultGenerator makes one id per call from the clock, as Baidu's DefaultUidGenerator,
// Twitter's Snowflake and their descendants do: the current tick and the next number of its
// sequence. With the default policies it gives at most a tick's ids per tick, and none ahead of
// the clock, with one exception: if the worker id is granted from a later tick on, as in a new
// pool of [worker.Leased], ids begin there at once, up to a minute ahead (two ticks, if those are
// longer). They move on when a tick is full, no faster than the clock, until it has caught up.
// Until then ClockBack is not asked, and TickFull is asked only whether to wait.
//
// A call takes no lock: it reads the monotonic clock and does one fetch-and-add (see term in the
// source). If the tick is full, the call waits in a queue for the next, first come first served.
// Only the first in it looks at the clock.
//
// The wall clock and the lease are checked when a tick begins, and at least once in each
// millisecond in which ids are taken; with Config.Now, for each id. Until a clock that was set is
// noticed, ids continue in the previous tick, none of them twice. A lost lease, AfterRestore and
// Close end the tick at once.
//
// Ids increase in the order in which they are made, unless the ClockBack policy goes back in time
// with the clock, or the worker id changes in a layout that has it above the time
// ([WorkerTimeSequence]). All methods may be called from any number of goroutines.
type DefaultGenerator struct {
	core
	sequences
}

func newDefault(ctx context.Context, a worker.Assigner, c settings) (*DefaultGenerator, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	g := &DefaultGenerator{}
	if err := g.open(ctx, a, c, 0); err != nil {
		return nil, err
	}
	g.seq.begin(&g.source)
	g.startFollowing(&g.sequences)
	return g, nil
}

// GetUID returns the next id of the current tick, or of the first one that is granted, if that
// lies ahead of the clock. When the tick is used up, GetUID waits for the next, if that begins
// within five seconds. Errors wrap ErrClockBack, ErrTickFull, ErrAhead, ErrGrantEnded,
// ErrTimeOver, ErrLeaseLost or ErrClosed.
func (g *DefaultGenerator) GetUID() (ID, error) {
	// getUID written out, which saves a call.
	dealt, now := g.dealt.Load(), time.Since(g.start)
	cur := g.seq.cur.Load()
	if v, last := cur.claim(now); v <= last && g.generation.Load() == dealt {
		return cur.id(v), nil
	}
	return g.takeSlow(noContext, &g.seq)
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
		s, _ = g.named.LoadOrStore(strings.Clone(name), new(sequence).begin(&g.source))
	}
	return g.getUID(ctx, s.(*sequence))
}

func (g *DefaultGenerator) getUID(ctx context.Context, s *sequence) (ID, error) {
	dealt, now, cur := g.dealt.Load(), g.mono(), s.cur.Load()
	if v, last := cur.claim(now); v <= last && g.generation.Load() == dealt {
		return cur.id(v), nil
	}
	return g.takeSlow(ctx, s)
}

// takeSlow is a take of one id for which the segment had none left, or whose id a copy may have.
func (g *DefaultGenerator) takeSlow(ctx context.Context, s *sequence) (ID, error) {
	for dealt := g.dealt.Load(); ; dealt = g.deal() {
		id, _, err := s.take(ctx, 1)
		if g.generation.Load() == dealt {
			return id, err
		}
	}
}

// Stats returns a snapshot.
func (g *DefaultGenerator) Stats() Stats {
	last, taken := int64(math.MinInt64), int64(0)
	g.each(func(one *sequence) {
		highest, n := one.given()
		last, taken = max(last, highest), taken+n
	})
	s := g.stats(last)
	s.Taken = taken
	return s
}
