package uid

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/internal/broadcast"
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
	grants broadcast.Signal // the grant moved, or another lease is in force

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
	g := &DefaultGenerator{core: k}
	g.last.Store(-1)
	k.following.Go(func() { k.follow(g) })
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
		// The tenure is read after it too, and swap moves last after it changed
		// the tenure: a swap below that succeeds was of this tenure's time.
		last := g.last.Load()
		t := g.tenure.Load()
		now := g.c.Layout.unixTick(g.c.Now())
		next, blocked := g.after(t, last, now)
		if blocked != nil {
			return 0, blocked
		}
		if g.last.CompareAndSwap(last, next) {
			g.taken.Add(1)
			return g.id(t, next), nil
		}
	}
}

// after is the value of last that follows in the tick now.
func (g *DefaultGenerator) after(t *tenure, last, now int64) (int64, *block) {
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
	if blocked := g.ungranted(t, now); blocked != nil {
		return 0, blocked
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
func (g *DefaultGenerator) ungranted(t *tenure, tick int64) *block {
	t.Want(tick)
	lo, hi, why, final := g.granted(t)
	if lo <= tick && tick <= hi {
		return nil
	}
	// Asked for before looking again: nothing falls in between.
	b := &block{changed: g.grants.Next()}
	lo, hi, why, final = g.granted(t)
	switch {
	case lo <= tick && tick <= hi:
		return nil
	case final:
		return &block{err: why}
	case lo <= hi && tick < lo:
		b.until = g.c.Layout.tickStart(lo)
		b.err = fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(b.until))
	case why != nil:
		b.err = why
	default:
		b.err = fmt.Errorf("%w: it grants ids until %s, and more has been asked for", ErrGrantEnded, timeString(g.c.Layout.tickStart(hi+1)))
	}
	return b
}

// id makes an id of a value of last.
func (g *DefaultGenerator) id(t *tenure, v int64) ID {
	l := g.c.Layout
	return l.compose(Parts{Tick: v >> l.SeqBits, Worker: t.WorkerID(), Seq: v & mask(l.SeqBits)})
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
func (g *DefaultGenerator) Close() error { return g.close(g, func() {}) }

// AfterRestore is to be called when the machine was resumed from a snapshot, of
// which another copy may run: what was granted before is given up. Calls that
// were in progress at the snapshot may still return ids that the copy returns
// too.
func (g *DefaultGenerator) AfterRestore() {
	g.restored()
	g.moved()
}

func (g *DefaultGenerator) moved() { g.grants.Send() }
func (g *DefaultGenerator) flush() {} // there is nothing in store

func (g *DefaultGenerator) swap(t *tenure) {
	g.tenure.Store(t)
	// The rest of the last tick was the other worker id's: a lower one would
	// give smaller ids in it.
	for {
		last := g.last.Load()
		if last < 0 || g.last.CompareAndSwap(last, last|mask(g.c.Layout.SeqBits)) {
			break
		}
	}
	g.moved()
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
