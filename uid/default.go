package uid

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/worker"
)

// DefaultGenerator makes one id per call from the clock, Baidu's
// DefaultUidGenerator: the current tick and the next number of its sequence. It
// never runs ahead of the clock, so it gives at most a tick's ids per tick, 8192
// a second with the default layout.
//
// Where Baidu's holds a lock, and spins under it until the next second, this one
// has one word that calls compare-and-set, and whoever finds the tick used up
// sleeps by himself until the next.
//
// All ids grow in the order in which they are made. All methods may be called
// from any number of goroutines.
type DefaultGenerator struct {
	*core
	bounded bool // the lease may change: look at it for each id

	_ cacheline.Pad
	// last is the last id handed out, as tick<<SeqBits | seq with the tick
	// counted from the layout's first; -1 before the first. It only grows, and
	// each id is one successful swap to its value: no two are equal.
	last atomic.Int64
	_    cacheline.Pad

	taken, waits, rejected atomic.Int64
}

// NewDefault gets a worker id. ctx bounds the start alone. Errors wrap
// ErrConfig, ErrLayout, ErrTimeOver, ErrWorkerID, or come from the assigner.
func NewDefault(ctx context.Context, a worker.Assigner, c Config) (*DefaultGenerator, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	k, err := open(ctx, a, c)
	if err != nil {
		return nil, err
	}
	g := &DefaultGenerator{core: k, bounded: k.lease.Changed() != nil}
	g.last.Store(-1)
	return g, nil
}

// GetUID returns the next id of the current tick. When the tick is used up it
// sleeps until the next, if that begins within five seconds. Errors wrap
// ErrClockBack, ErrTickFull, ErrTimeOver, ErrLeaseLost or ErrClosed.
func (g *DefaultGenerator) GetUID() (ID, error) { return g.get(noContext) }

// GetUIDContext is GetUID, but waits as long as ctx lasts.
func (g *DefaultGenerator) GetUIDContext(ctx context.Context) (ID, error) { return g.get(ctx) }

func (g *DefaultGenerator) get(ctx context.Context) (ID, error) {
	id, block := g.try()
	if block == nil {
		return id, nil
	}
	if !block.final() {
		g.waits.Add(1)
		id, block = g.wait(ctx, block)
		if block == nil {
			return id, nil
		}
	}
	g.rejected.Add(1)
	return 0, block.err
}

// block is why there is no id now.
type block struct {
	err     error
	until   time.Time       // wait until then,
	changed <-chan struct{} // or for this
}

func (b *block) final() bool { return b.until.IsZero() && b.changed == nil }

// try makes an id if there is one now.
func (g *DefaultGenerator) try() (ID, *block) {
	for {
		if g.life.Err() != nil {
			return 0, &block{err: ErrClosed}
		}
		// The clock is read after last. So if it shows an earlier tick, it was
		// set back, and no other call came between.
		last := g.last.Load()
		now := g.c.Layout.unixTick(g.c.Now())
		next, blocked := g.after(last, now)
		if blocked != nil {
			return 0, blocked
		}
		if g.last.CompareAndSwap(last, next) {
			g.taken.Add(1)
			return g.id(next), nil
		}
	}
}

// after is the value of last that follows in the tick now.
func (g *DefaultGenerator) after(last, now int64) (int64, *block) {
	seqBits := g.c.Layout.SeqBits
	switch {
	case now > g.lastTick:
		return 0, &block{err: g.timeOver()}
	case now < g.firstTick:
		return 0, g.clockBack(g.firstTick, now)
	}
	tick := now - g.firstTick
	lastTick := last >> seqBits // -1 before the first
	if tick < lastTick {
		return 0, g.clockBack(g.firstTick+lastTick, now)
	}
	if g.bounded {
		if blocked := g.ungranted(now); blocked != nil {
			return 0, blocked
		}
	}
	switch {
	case tick > lastTick:
		return tick << seqBits, nil
	case last&mask(seqBits) == mask(seqBits):
		until := g.c.Layout.tickStart(now + 1)
		return 0, &block{
			err:   fmt.Errorf("%w: all %d ids; the next tick begins at %s", ErrTickFull, mask(seqBits)+1, timeString(until)),
			until: until,
		}
	}
	return last + 1, nil
}

func (g *DefaultGenerator) clockBack(last, now int64) *block {
	from, to := g.c.Layout.tickStart(last), g.c.Layout.tickStart(now)
	return &block{err: fmt.Errorf("%w by about %v: ids were made at %s, now it is %s: none until it has caught up",
		ErrClockBack, from.Sub(to), timeString(from), timeString(to))}
}

// ungranted says why the lease does not let tick be minted; nil if it does.
func (g *DefaultGenerator) ungranted(tick int64) *block {
	changed := g.lease.Changed() // before looking: nothing falls in between
	g.lease.Want(tick)
	lo, hi, end := g.grant()
	switch {
	case end != nil && (tick > hi || hi < lo):
		return &block{err: end}
	case tick > hi:
		return &block{err: fmt.Errorf("%w: it grants ids until %s, and more has been asked for", ErrGrantEnded, timeString(g.c.Layout.tickStart(hi+1))), changed: changed}
	case tick < lo:
		from := g.c.Layout.tickStart(lo)
		return &block{err: fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(from)), until: from, changed: changed}
	}
	return nil
}

// id makes an id of a value of last.
func (g *DefaultGenerator) id(v int64) ID {
	l := g.c.Layout
	return l.compose(Parts{Tick: v >> l.SeqBits, Worker: g.lease.WorkerID(), Seq: v & mask(l.SeqBits)})
}

// wait tries again whenever it may help, until there is an id, a final answer,
// or an end to waiting: ctx's, or without one five seconds in which nobody got
// an id.
func (g *DefaultGenerator) wait(ctx context.Context, b *block) (ID, *block) {
	since, last := time.Now(), g.last.Load()
	for {
		if now := g.last.Load(); now != last {
			since, last = time.Now(), now
		}
		sleep, enough := b.sleep(g.c.Now()), time.Duration(math.MaxInt64)
		if ctx == noContext {
			enough = patience - time.Since(since)
			if enough <= 0 || b.changed == nil && sleep > patience {
				return 0, b // waiting for it would be in vain
			}
		}
		timer := time.NewTimer(min(sleep, enough))
		select {
		case <-timer.C:
		case <-b.changed:
		case <-ctx.Done():
			timer.Stop()
			return 0, &block{err: fmt.Errorf("%w: %w", b.err, context.Cause(ctx))}
		case <-g.life.Done():
		}
		timer.Stop()
		id, next := g.try()
		if next == nil || next.final() {
			return id, next
		}
		b = next
	}
}

// sleep is how long to wait for b to pass by itself.
func (b *block) sleep(now time.Time) time.Duration {
	if b.until.IsZero() {
		return math.MaxInt64
	}
	return max(b.until.Sub(now), time.Millisecond/8)
}

// Close ends the generator and gives the worker id back, for which it waits at
// most five seconds. Every later call returns ErrClosed, and so do calls that
// wait. Calls after the first do nothing and return the first one's error.
func (g *DefaultGenerator) Close() error {
	return g.close(g.lastMinted)
}

// lastMinted is the tick of the last id, counted from the Unix epoch.
func (g *DefaultGenerator) lastMinted() int64 {
	last := g.last.Load()
	if last < 0 {
		return math.MinInt64
	}
	return g.firstTick + last>>g.c.Layout.SeqBits
}

// Stats returns a snapshot.
func (g *DefaultGenerator) Stats() Stats {
	s := g.stats(g.lastMinted())
	s.Taken, s.Waits, s.Rejected = g.taken.Load(), g.waits.Load(), g.rejected.Load()
	return s
}
