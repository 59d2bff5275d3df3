package uid

import (
	"context"
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
	seq sequence
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
	g.startFollowing(&g.seq)
	return g, nil
}

// GetUID returns the next id of the current tick, or of the first one that is granted, if that
// lies ahead of the clock. When the tick is used up, GetUID waits for the next, if that begins
// within five seconds. Errors wrap ErrClockBack, ErrTickFull, ErrAhead, ErrGrantEnded,
// ErrTimeOver, ErrLeaseLost or ErrClosed.
func (g *DefaultGenerator) GetUID() (ID, error) {
	now := time.Since(g.start)
	cur := g.seq.cur.Load()
	if v, last := cur.claim(now); v <= last {
		return cur.id(v), nil
	}
	id, _, err := g.seq.take(noContext, 1)
	return id, err
}

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (g *DefaultGenerator) GetUIDContext(ctx context.Context) (ID, error) {
	now, cur := g.mono(), g.seq.cur.Load()
	if v, last := cur.claim(now); v <= last {
		return cur.id(v), nil
	}
	id, _, err := g.seq.take(ctx, 1)
	return id, err
}

// Stats returns a snapshot.
func (g *DefaultGenerator) Stats() Stats {
	last, taken := g.seq.given()
	s := g.stats(last)
	s.Taken = taken
	return s
}
