package uid

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
	"github.com/ringuid/ringuid/worker"
)

// DefaultGenerator makes one id per call from the clock, as Baidu's
// DefaultUidGenerator, Twitter's Snowflake and those after them do: the current
// tick and the next number of its sequence. With the default policies it never
// runs ahead of the clock, so it gives at most a tick's ids per tick, 8192 a
// second with the default layout.
//
// Where others hold a lock, and spin under it until the next tick, this one has
// one word that calls compare-and-set, and whoever finds the tick used up sleeps
// by himself until the next.
//
// Ids grow in the order in which they are made, unless the ClockBack policy goes
// back in time with the clock. All methods may be called from any number of
// goroutines.
type DefaultGenerator struct {
	*core
	rules
	grants broadcast.Signal // the grant moved, or another lease is in force
	seq    sequence
	keyed  keyedOnce

	taken, waits, rejected atomic.Int64
}

// NewDefault gets a worker id. One that is not fenced gives ids from the next tick
// on, see Config.AllowRepeats. ctx bounds the start alone. Errors wrap ErrConfig,
// ErrLayout, ErrTimeOver, ErrWorkerID, or come from the assigner.
func NewDefault(ctx context.Context, a worker.Assigner, c Config) (*DefaultGenerator, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	k, err := open(ctx, a, c)
	if err != nil {
		return nil, err
	}
	g := &DefaultGenerator{core: k, rules: c.rules()}
	k.following.Go(func() { k.follow(g) })
	return g, nil
}

// GetUID returns the next id of the current tick. When the tick is used up it
// sleeps until the next, if that begins within five seconds. Errors wrap
// ErrClockBack, ErrTickFull, ErrTimeOver, ErrLeaseLost or ErrClosed.
func (g *DefaultGenerator) GetUID() (ID, error) { return g.get(noContext) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (g *DefaultGenerator) GetUIDContext(ctx context.Context) (ID, error) { return g.get(ctx) }

func (g *DefaultGenerator) get(ctx context.Context) (ID, error) { return g.take(ctx, &g.seq) }

// take makes the next id of a sequence.
func (g *DefaultGenerator) take(ctx context.Context, s *sequence) (ID, error) {
	id, b := g.try(s, 0)
	if b == nil {
		return id, nil
	}
	if !b.final() {
		g.waits.Add(1)
		id, b = g.wait(ctx, s, b)
		if b == nil {
			return id, nil
		}
	}
	g.rejected.Add(1)
	return 0, b.err
}

// try makes an id if there is one now. waited is how long this call has waited
// for the clock.
func (g *DefaultGenerator) try(s *sequence, waited time.Duration) (ID, *block) {
	cur := s.cur.Load()
	for {
		if cur == nil {
			cur = s.current(&g.tenure)
		}
		// The life is looked at after last. So if it goes on, Close has not sealed
		// the term yet, and when it does the swap of this last fails. The clock is
		// read after last, too. So if it shows an earlier tick, it was set back, and
		// no other call came between.
		last := cur.last.Load()
		if g.life.Err() != nil {
			return 0, &block{err: ErrClosed}
		}
		if last == sealed {
			cur = nil // there is another, or will be in a moment
			continue
		}
		c := call{g: g, cur: cur, waited: waited}
		v, b := g.at(s, last, g.layout.unixTick(g.c.Now()), &c)
		switch b {
		case nil:
			g.taken.Add(1)
			return g.id(cur.t, v), nil
		case again:
			cur = s.cur.Load()
		default:
			return 0, b
		}
	}
}

// at gives out a value for a tick that is counted from the Unix epoch.
func (g *DefaultGenerator) at(s *sequence, last, now int64, c *call) (int64, *block) {
	c.now = now - g.firstTick
	switch {
	case now > g.lastTick:
		return 0, &block{err: g.over}
	case now < g.firstTick:
		return 0, c.setBack(0, c.now)
	}
	if b := g.ungranted(c.cur.t, now); b != nil {
		return 0, b
	}
	return g.next(s, last, c.now, c)
}

// ungranted says why the lease does not let tick be minted; nil if it does.
func (g *DefaultGenerator) ungranted(t *tenure, tick int64) *block {
	t.Want(tick)
	lo, hi, _, _ := g.granted(t)
	if lo <= tick && tick <= hi {
		return nil
	}
	// Asked for before looking again: nothing falls in between.
	b := &block{changed: g.grants.Next()}
	lo, hi, why, final := g.granted(t)
	switch {
	case lo <= tick && tick <= hi:
		return nil
	case lo <= hi && tick < lo: // before final, which speaks of what is above hi
		b.until = g.c.Layout.tickStart(lo)
		b.err = fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(b.until))
	case final:
		return &block{err: why}
	case why != nil:
		b.err = why
	case lo > hi:
		b.err = fmt.Errorf("%w: it grants none, and more has been asked for", ErrGrantEnded)
	default:
		b.err = fmt.Errorf("%w: it grants ids until %s, and more has been asked for", ErrGrantEnded, timeString(g.c.Layout.tickStart(hi+1)))
	}
	return b
}

// id makes an id of a value of a sequence.
func (g *DefaultGenerator) id(t *tenure, v int64) ID {
	return g.layout.compose(Parts{Tick: g.tickOf(v), Worker: t.WorkerID(), Turn: g.turnOf(v), Seq: g.seqOf(v)})
}

// Close ends the generator and gives the worker id back, for which it waits at
// most five seconds. Every later call returns ErrClosed, and so do calls that
// wait. Calls after the first do nothing and return the first one's error.
func (g *DefaultGenerator) Close() error {
	return g.close(g, func() { g.eachSequence((*sequence).seal) })
}

// AfterRestore is to be called when the machine was resumed from a snapshot, of
// which another copy may run: what was granted before is given up. Only a call
// that had its id already, and not yet returned it, may return one that the copy
// returns too.
//
// A worker id that somebody vouches for (worker.Static, Ordinal, FromEnv) is the same
// one afterwards: let the copies have different ones.
func (g *DefaultGenerator) AfterRestore() {
	g.restored()
	g.flush()
	g.moved()
}

func (g *DefaultGenerator) moved() { g.grants.Send() }

// flush takes the sequences away from calls that are halfway through.
func (g *DefaultGenerator) flush() { g.renewAll() }

func (g *DefaultGenerator) swap(t *tenure) (old *tenure, last int64) {
	old = g.put(t)
	last = g.renewAll()
	g.moved()
	return old, last
}

// renewAll ends the terms of all sequences and returns the highest tick in them.
func (g *DefaultGenerator) renewAll() (last int64) {
	highest := int64(-1)
	g.eachSequence(func(s *sequence) { highest = max(highest, g.renew(s, &g.tenure)) })
	return g.unixTickOf(highest)
}

// unixTickOf is the tick of a value, counted from the Unix epoch; math.MinInt64 for
// none.
func (g *DefaultGenerator) unixTickOf(v int64) int64 {
	if v < 0 {
		return math.MinInt64
	}
	return g.firstTick + g.tickOf(v)
}

// Stats returns a snapshot.
func (g *DefaultGenerator) Stats() Stats {
	s := g.stats(g.lastMinted())
	s.Taken, s.Waits, s.Rejected = g.taken.Load(), g.waits.Load(), g.rejected.Load()
	return s
}
