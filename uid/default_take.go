package uid

import (
	"context"
	"fmt"
	"time"
)

// take makes the next ids of a sequence, as many as wanted or fewer: n of them, from
// first on.
func (g *DefaultGenerator) take(ctx context.Context, s *sequence, want int64) (first ID, n int64,
	err error) {
	first, n, b := g.try(s, want, 0)
	if b == nil {
		return first, n, nil
	}
	if !b.final() {
		g.waits.Add(1)
		first, n, b = g.wait(ctx, s, want, b)
		if b == nil {
			return first, n, nil
		}
	}
	g.rejected.Add(1)
	return 0, 0, b.err
}

// try makes ids if there are any now. waited is how long this call has waited for
// the clock.
func (g *DefaultGenerator) try(s *sequence, want int64, waited time.Duration) (first ID, n int64,
	b *block) {
	for {
		cur := s.cur.Load()
		if cur == nil {
			cur = g.current(s)
		}
		if v, n, ok := cur.claimUpTo(g.mono(), want); ok {
			return cur.id(v), n, nil
		}
		// The life is looked at after the state. So if it goes on, Close has not
		// sealed the sequence yet, and when it does this call gives out nothing. The
		// clock is read after the state, too. So if it shows an earlier tick, it was
		// set back, and no other call came between.
		at, ok := s.inspect(cur, g.mono)
		switch {
		case g.life.Err() != nil:
			return 0, 0, &block{err: ErrClosed}
		case !ok:
			continue // there is another term, or a lap
		}
		c := call{g: g, s: s, cur: cur, at: at, want: want, waited: waited, mono: g.mono(),
			wall: g.c.Now()}
		switch v, b := c.make(); b {
		case nil:
			return g.id(cur.lease, v), c.got, nil
		case again:
		default:
			return 0, 0, b
		}
	}
}

// make gives out values for the tick that the clock shows.
func (c *call) make() (int64, *block) {
	g := c.g
	now := g.c.Layout.unixTick(c.wall) // counted from the Unix epoch
	c.now = now - g.firstTick
	switch {
	case now > g.lastTick:
		return 0, c.over()
	case now < g.firstTick:
		return 0, c.setBack(0)
	}
	b := g.ungranted(c.cur.lease, now)
	if b == nil {
		return c.next()
	}
	last := g.firstTick + g.tickOf(c.at.last)
	if first, ok := g.grantedAhead(c.cur.lease, now); ok && last < first {
		return c.startAhead(first - g.firstTick)
	}
	if now < last {
		// The clock was set back to before the lease. The last id's tick, in which policy.GoOn
		// goes on, is granted all the same; other policies ask for the ticks that they go to. A
		// run that began with the grant goes on, too.
		b = g.ungranted(c.cur.lease, last)
	}
	if b != nil {
		return 0, b
	}
	return c.next()
}

// grantedAhead is the first tick that the lease grants, if that has not begun and may be
// minted before it does.
func (g *DefaultGenerator) grantedAhead(h *heldLease, now int64) (first int64, ok bool) {
	lo, hi, _, _ := g.granted(h)
	return lo, now < lo && lo <= hi && h.earliest < lo && !h.noBorrow
}

// ungranted says why the lease does not let tick be minted; nil if it does.
func (g *DefaultGenerator) ungranted(h *heldLease, tick int64) *block {
	h.Want(tick)
	lo, hi, _, _ := g.granted(h)
	if lo <= tick && tick <= hi {
		return nil
	}
	// Asked for before looking again: nothing falls in between.
	b := &block{changed: g.grants.Next()}
	lo, hi, why, final := g.granted(h)
	switch {
	case lo <= tick && tick <= hi:
		return nil
	case lo <= hi && tick < lo && h.noBorrow:
		return notBegun(g.c.Layout.tickStart(lo))
	case lo <= hi && tick < lo && lo == h.earliest:
		b.until = g.c.Layout.tickStart(lo)
		b.err = fmt.Errorf("%w: ids above Config.Above begin at %s", ErrAhead, timeString(b.until))
	case lo <= hi && tick < lo: // before final, which speaks of what is above hi
		b.until = g.c.Layout.tickStart(lo)
		b.err = fmt.Errorf("%w: it grants ids from %s on", ErrGrantEnded, timeString(b.until))
	case final:
		return &block{err: why}
	default:
		b.err = g.ungrantedAbove(lo, hi, why)
	}
	return b
}

// id makes an id of a value of a sequence.
func (g *DefaultGenerator) id(h *heldLease, v int64) ID {
	return g.fields.compose(Parts{Tick: g.tickOf(v), Worker: h.WorkerID(), Turn: g.turnOf(v),
		Seq: g.seqOf(v)})
}
