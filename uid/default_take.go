package uid

import (
	"context"
	"fmt"
	"time"
)

// take makes the next ids of a sequence, as many as wanted or fewer: n of them, from first on.
// The lap had nothing left.
func (g *DefaultGenerator) take(ctx context.Context, s *sequence, want int) (first ID, n int,
	err error) {
	first, n, b := g.try(s, want)
	if b == nil {
		return first, n, nil
	}
	err = g.await(ctx, &s.line, b, func() (b *block) {
		first, n, b = g.try(s, want)
		return b
	})
	return first, n, err
}

// try makes ids if there are any now.
func (g *DefaultGenerator) try(s *sequence, want int) (first ID, n int, b *block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.life.Err() != nil { // it ends before Close ends the terms, which needs the lock
		return 0, 0, &block{err: ErrClosed}
	}
	cur := s.cur.Load()
	if held := g.held.Load(); s.last.Tick < 0 && cur.lease != held { // nothing was given out yet
		cur = g.newTerm(held)
		s.cur.Store(cur)
	}
	if v, n, ok := cur.claimUpTo(g.mono(), want); ok {
		return cur.id(v), n, nil // another call has opened a lap
	}
	s.stop()
	// The clocks are read after it is known what was given out. So if the wall clock shows an
	// earlier tick, it was set back; and a lap ends no later than its tick.
	c := call{DefaultGenerator: g, s: s, lease: cur.lease, mono: g.mono(), wall: g.c.Now()}
	if b := c.decide(); b != nil {
		b.now = c.wall
		return 0, 0, b
	}
	first, n = c.give(want)
	return first, n, nil
}

// call is one attempt to make ids, under the sequence's lock.
type call struct {
	*DefaultGenerator
	s     *sequence
	lease *heldLease
	mono  time.Duration // the monotonic clock
	wall  time.Time     // the wall clock, of which
	now   int64         // this is the tick, counted from the layout's first

	next  Parts // what decide decided on,
	drift drift // and the run that its tick is in
}

// decide decides on the next number, for the tick that the clock shows.
func (c *call) decide() *block {
	last, now := c.s.last, c.c.Layout.unixTick(c.wall) // counted from the Unix epoch
	c.now = now - c.firstTick
	switch {
	case now > c.lastTick:
		return c.overNow()
	case now < c.firstTick:
		return c.setBack(0)
	}
	b := c.ungranted(c.lease, now)
	if b != nil {
		lo, hi, _, _ := c.granted(c.lease)
		if now < lo && lo <= hi && c.lease.earliest < lo && !c.lease.noBorrow &&
			c.firstTick+last.Tick < lo {
			return c.startAhead(lo - c.firstTick)
		}
		if c.now < last.Tick {
			// The clock was set back to before the lease. The last id's tick, in which policy.GoOn
			// continues, is granted all the same; other policies ask for the ticks that they move to. A
			// run that began with the grant continues, too.
			b = c.ungranted(c.lease, c.firstTick+last.Tick)
		}
	}
	switch {
	case b != nil:
		return b
	case c.now > last.Tick:
		return c.begin(c.now, drift{})
	case c.now == last.Tick || c.s.drift != (drift{}):
		return c.goOn()
	}
	return c.back()
}

// begin decides on the first number of a tick, on the track in use.
func (c *call) begin(tick int64, d drift) *block {
	c.next, c.drift = Parts{Tick: tick, Turn: c.s.last.Turn, Seq: c.firstSeq()}, d
	return nil
}

// give gives out the number that was decided on and those after it, as many as are wanted and
// as its tick holds. The rest of the tick becomes the next lap, if it is a tick for which the
// next call has nothing to decide.
func (c *call) give(want int) (first ID, n int) {
	s, last, cur := c.s, c.next, c.s.cur.Load()
	first = c.id(cur.lease, last)
	switch {
	case want == none:
		return first, 0
	case last.Seq < c.c.MinSeq || c.c.MaxSeq < last.Seq: // of the past: no track has it
		s.past.tick--
		s.taken++
		return first, 1
	}
	n = int(min(int64(want), c.c.MaxSeq-last.Seq+1))
	last.Seq += int64(n - 1)
	if c.drift.borrowed > 0 && c.drift.borrowed == c.c.borrow {
		n, last.Seq = 1, c.c.MaxSeq // the last tick that is borrowed gives one id
	}
	if last.Turn != s.last.Turn { // the other track's numbers may be smaller
		s.other, cur = s.last, c.newTerm(cur.lease)
		s.cur.Store(cur)
	}
	s.last, s.drift, s.taken = last, c.drift, s.taken+int64(n)
	s.line.progress.Store(int64(c.mono))
	width := min(c.trust, c.c.Layout.start(last.Tick+1).Sub(c.wall))
	if left := c.c.MaxSeq - last.Seq; left > 0 && width > 0 &&
		(last.Tick == c.now || c.drift != (drift{})) {
		cur.open(first+ID(int64(n)*c.fields.step()), left, c.mono+width)
	}
	return first, n
}

// id makes the id of a sequence's number.
func (g *DefaultGenerator) id(h *heldLease, number Parts) ID {
	number.Worker = h.WorkerID()
	return g.fields.compose(number)
}

// allowed says what keeps a tick other than now from being used.
func (c *call) allowed(tick int64) *block {
	if tick > c.c.Layout.maxTick() {
		return c.overNow()
	}
	if tick > c.now && c.lease.noBorrow {
		return notBegun(c.c.Layout.start(tick))
	}
	return c.ungranted(c.lease, c.firstTick+tick)
}

// ungranted says why the lease does not let tick be minted; nil if it does.
func (g *DefaultGenerator) ungranted(h *heldLease, tick int64) *block {
	h.Want(tick)
	changed := g.grants.Next() // before looking, so that no change is missed
	lo, hi, why, final := g.granted(h)
	switch {
	case lo <= tick && tick <= hi:
		return nil
	case lo <= hi && tick < lo: // before final, which is about ticks above hi
		begin := g.c.Layout.tickStart(lo)
		switch {
		case h.noBorrow:
			return notBegun(begin)
		case lo == h.earliest:
			why = fmt.Errorf("%w: ids above Config.Above begin at %s", ErrAhead, timeString(begin))
		default:
			why = fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(begin))
		}
		return &block{err: why, until: begin, changed: changed}
	case final:
		return &block{err: why}
	}
	return &block{err: g.ungrantedAbove(h, lo, hi, why), changed: changed}
}
