package uid

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// -1 for -1.
func (g *DefaultGenerator) tickOf(v int64) int64 {
	return v >> (g.c.Layout.SeqBits + g.c.Layout.TurnBits)
}
func (g *DefaultGenerator) seqOf(v int64) int64 { return v & mask(g.c.Layout.SeqBits) }

func (g *DefaultGenerator) turnOf(v int64) int64 {
	if v < 0 {
		return g.c.Turn
	}
	return v >> g.c.Layout.SeqBits & mask(g.c.Layout.TurnBits)
}

func (g *DefaultGenerator) value(tick, turn, seq int64) int64 {
	return (tick<<g.c.Layout.TurnBits|turn)<<g.c.Layout.SeqBits | seq
}

// begin is the first value of a tick with this turn.
func (g *DefaultGenerator) begin(tick, turn int64) int64 {
	seq := g.c.MinSeq
	if g.c.RandomSeq > 1 {
		seq += rand.Int64N(g.c.RandomSeq)
	}
	return g.value(tick, turn, seq)
}

// endOfTick is the last value of v's tick and turn: the rest of them is passed
// over.
func (g *DefaultGenerator) endOfTick(v int64) int64 {
	if v < 0 {
		return v
	}
	return v | mask(g.c.Layout.SeqBits)
}

// next gives out values for the clock's tick. The state was looked at before the
// clock was, so a tick before last's means that the clock was set back.
func (c *call) next() (v int64, b *block) {
	switch tick := c.g.tickOf(c.at.last); {
	case c.now > tick:
		return c.give(c.begin(c.now), false)
	case c.now == tick || tick == c.at.drift.to:
		return c.goOn()
	}
	return c.back()
}

// begin is the first value of a tick, on the track in use.
func (c *call) begin(tick int64) int64 { return c.g.begin(tick, c.g.turnOf(c.at.last)) }

// give gives out v and the values after it, as many as the call asks for and v's tick
// holds; or v alone, and then the rest of its tick is passed over. Otherwise what is left of
// the tick is the next lap's, if it is a tick for which the next call has nothing to decide.
func (c *call) give(v int64, alone bool) (int64, *block) {
	if c.want == none {
		return v, nil
	}
	g, s, cur, tick := c.g, c.s, c.cur, c.g.tickOf(v)
	top := v - g.seqOf(v) + g.c.MaxSeq
	n := min(c.want, top-v+1)
	last, width := v+n-1, time.Duration(0)
	if alone {
		n, last = 1, g.endOfTick(v)
	} else if tick == c.now || tick == c.at.drift.to {
		width = c.width(tick)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.still() {
		return 0, again
	}
	c.got = n
	s.last, s.taken, s.beside = last, s.taken+n, c.at.beside
	if g.turnOf(v) != g.turnOf(c.at.last) { // whose values may be smaller
		cur = g.newTerm(cur.lease)
		s.cur.Store(cur)
	}
	if width > 0 && last < top {
		cur.open(g.id(cur.lease, last+1), top-last, c.mono+width)
		s.running = true
	}
	return v, nil
}

// startAhead gives out values of the first tick that is granted, which lies ahead of the clock
// and above last's tick. So last grows on its track, and the tick is granted: a grant that is
// given up ends the term, and then give gives out nothing.
func (c *call) startAhead(first int64) (int64, *block) {
	c.at.drift = drift{from: first, to: first, granted: true,
		since: c.mono - c.wall.Sub(c.g.c.Layout.start(c.now))} // when the clock's tick began
	c.cur.lease.Want(c.g.firstTick + first + 1)
	return c.give(c.begin(first), false)
}

// nextGranted gives out values of the tick after last's, in a run that began with the grant.
// It goes no faster than the clock, by the monotonic one, a tick late at most: so it never
// gets further ahead than the grant was when it began, although more may be granted, and a
// wall clock that is set back does not matter. The tick after it is asked for ahead of time.
//
// The tick is above last's, and granted, as allowed says; a grant that is given up meanwhile
// ends the term, and then give gives out nothing.
func (c *call) nextGranted() (int64, *block) {
	unit, d := c.g.c.Layout.Unit, &c.at.drift
	d.to++
	if no := c.allowed(d.to); no != nil {
		return 0, no
	}
	if wait := d.since + unit - c.mono; wait > 0 {
		return 0, c.full(c.wall.Add(wait))
	}
	d.since = max(d.since+unit, c.mono-unit)
	c.cur.lease.Want(c.g.firstTick + d.to + 1)
	return c.give(c.begin(d.to), false)
}

// goOn gives out the next value of last's tick, or does what TickFull says when there is
// none.
func (c *call) goOn() (int64, *block) {
	g, last, d := c.g, c.at.last, &c.at.drift
	tick := g.tickOf(last)
	if d.granted && c.now >= tick {
		*d = noDrift // the clock has caught up, and is followed from now on
	}
	if g.seqOf(last) < g.c.MaxSeq {
		return c.give(last+1, false)
	}
	if tick != d.to {
		*d = drift{from: tick, to: tick}
	}
	if d.granted {
		return c.nextGranted()
	}
	left := int64(g.c.TickFull) - (d.to - d.from) // ticks that may be borrowed
	if left <= 0 {
		return 0, c.full(g.c.Layout.start(tick + 1))
	}
	d.to++
	if no := c.allowed(d.to); no != nil {
		return 0, no
	}
	return c.give(c.begin(d.to), left == 1)
}

// back does what ClockBack says about a clock before last's tick.
func (c *call) back() (int64, *block) {
	tick := c.g.tickOf(c.at.last)
	switch back := c.g.c.ClockBack.(type) {
	case policy.WaitUpTo:
		by := c.g.c.Layout.start(tick).Sub(c.g.c.Layout.start(c.now))
		// No wait lasts centuries, of which no Duration holds twice as much.
		if by <= min(time.Duration(back), math.MaxInt64/2) && c.waited == 0 {
			return 0, c.sleepBack(tick, 2*by)
		}
	case policy.Reserved:
		return c.reserved(back)
	case policy.BackAction:
		switch back {
		case policy.GoOn:
			return c.goOn()
		case policy.Turn:
			return c.turn()
		}
	}
	return 0, c.setBack(tick)
}

// turn continues at now on the other track, if that has anything left there.
func (c *call) turn() (int64, *block) {
	g, last, other := c.g, c.at.last, c.at.other
	v := g.begin(c.now, g.turnOf(last)^1)
	switch passed := g.tickOf(other); {
	case other >= 0 && passed > c.now:
		return 0, c.setBack(min(passed, g.tickOf(last)))
	case other >= 0 && passed == c.now:
		if g.seqOf(other) >= g.c.MaxSeq {
			// To borrow would be to go into what last's track has passed.
			return 0, c.full(g.c.Layout.start(c.now + 1))
		}
		v = other + 1
	}
	if no := c.allowed(c.now); no != nil {
		return 0, no
	}
	c.at.other, c.at.drift = last, noDrift
	return c.give(v, false)
}
