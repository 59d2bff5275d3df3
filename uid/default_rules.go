package uid

import (
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/internal/policyresult"
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

// first is the first number of a tick.
func (g *DefaultGenerator) first() int64 {
	if g.c.RandomSeq > 1 {
		return g.c.MinSeq + rand.Int64N(g.c.RandomSeq)
	}
	return g.c.MinSeq
}

// next gives out values for the clock's tick. The state was looked at before the
// clock was, so a tick before last's means that the clock was set back. Policies are
// asked without a lock: their answer counts only if nothing was given out meanwhile.
func (g *DefaultGenerator) next(s *sequence, at state, c *call) (v int64, b *block) {
	switch tick := g.tickOf(at.last); {
	case c.now > tick:
		return g.give(s, at.last, g.value(c.now, g.turnOf(at.last), g.first()), at.beside, c)
	case c.now == tick || tick == at.drift.to:
		return g.goOn(s, at.last, at.beside, c)
	}
	return g.back(s, at.last, at.beside, c)
}

// give gives out v and the values after it, as many as the call asks for and v's
// tick holds. What is left of the tick is the next lap's, if it is a tick for which
// the next call needs to ask no policy.
func (g *DefaultGenerator) give(s *sequence, last, v int64, b beside, c *call) (int64, *block) {
	if c.want == none {
		return v, nil
	}
	tick, top := g.tickOf(v), v-g.seqOf(v)+g.c.MaxSeq
	n := min(c.want, top-v+1)
	width := time.Duration(0)
	if tick == c.now || tick == b.drift.to {
		width = c.width(tick)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.at(c.cur, last) {
		return 0, again
	}
	c.got = n
	s.last, s.taken, s.beside = v+n-1, s.taken+n, b
	cur := c.cur
	if g.turnOf(v) != g.turnOf(last) { // whose values may be smaller
		cur = g.newTerm(cur.lease)
		s.cur.Store(cur)
	}
	if width > 0 && s.last < top {
		first := g.id(cur.lease, s.last+1)
		cur.open(first, top-s.last, c.mono+width)
		s.running = true
	}
	return v, nil
}

// giveOne gives out v alone, and passes over the rest of its tick.
func (g *DefaultGenerator) giveOne(s *sequence, last, v int64, b beside, c *call) (int64, *block) {
	if c.want == none {
		return v, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.at(c.cur, last) {
		return 0, again
	}
	c.got = 1
	s.last, s.taken, s.beside = g.endOfTick(v), s.taken+1, b
	return v, nil
}

// startAhead gives out values of the first tick that is granted, which lies ahead of the clock
// and above last's tick. So last grows on its track, and the tick is granted: a grant that is
// given up ends the term, and then give gives out nothing.
func (g *DefaultGenerator) startAhead(s *sequence, at state, first int64, c *call) (int64, *block) {
	b := at.beside
	b.drift = drift{from: first, to: first, granted: true,
		since: c.mono - c.wall.Sub(g.c.Layout.start(c.now))} // when the clock's tick began
	c.cur.lease.Want(g.firstTick + first + 1)
	return g.give(s, at.last, g.value(first, g.turnOf(at.last), g.first()), b, c)
}

// nextGranted gives out values of the tick after last's, in a run that began with the grant.
// It goes no faster than the clock, by the monotonic one, a tick late at most: so it never
// gets further ahead than the grant was when it began, although more may be granted, and a
// wall clock that is set back does not matter. The tick after it is asked for ahead of time.
//
// The tick is above last's, and granted, as allowed says; a grant that is given up meanwhile
// ends the term, and then give gives out nothing.
func (g *DefaultGenerator) nextGranted(s *sequence, last int64, b beside, c *call) (int64,
	*block) {
	unit := g.c.Layout.Unit
	b.drift.to++
	if no := c.allowed(b.drift.to); no != nil {
		return 0, no
	}
	if wait := b.drift.since + unit - c.mono; wait > 0 {
		full := policy.Full{Tick: g.c.Layout.start(b.drift.to - 1), Unit: unit}
		return 0, c.fullAhead(wait, g.c.TickFull(full) != policyresult.FailNow)
	}
	b.drift.since = max(b.drift.since+unit, c.mono-unit)
	c.cur.lease.Want(g.firstTick + b.drift.to + 1)
	return g.give(s, last, g.value(b.drift.to, g.turnOf(last), g.first()), b, c)
}

// goOn gives out the next value of last's tick, or does what the policy says
// when there is none.
func (g *DefaultGenerator) goOn(s *sequence, last int64, b beside, c *call) (int64, *block) {
	tick := g.tickOf(last)
	if b.drift.granted && c.now >= tick {
		b.drift = noDrift // the clock has caught up, and is followed from now on
	}
	if g.seqOf(last) < g.c.MaxSeq {
		return g.give(s, last, last+1, b, c)
	}
	if tick != b.drift.to {
		b.drift = drift{from: tick, to: tick}
	}
	if b.drift.granted {
		return g.nextGranted(s, last, b, c)
	}
	action := g.c.TickFull(policy.Full{Tick: g.c.Layout.start(tick), Unit: g.c.Layout.Unit,
		Borrowed: b.drift.to - b.drift.from})
	b.drift.to++
	v := g.value(b.drift.to, g.turnOf(last), g.first())
	switch action {
	case policyresult.Borrow:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		return g.give(s, last, v, b, c)
	case policyresult.BorrowOne:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		return g.giveOne(s, last, v, b, c)
	case policyresult.FailNow:
		return 0, c.full(last, false)
	}
	return 0, c.full(last, true)
}

// back does what the policy says about a clock before last's tick.
func (g *DefaultGenerator) back(s *sequence, last int64, b beside, c *call) (int64, *block) {
	now := c.now
	d := g.c.ClockBack(c.back(g.tickOf(last), now))
	if err := c.g.c.canBack(d); err != nil { // it may answer otherwise than when it was asked first
		return 0, &block{err: err}
	}
	switch d.Action {
	case policyresult.GoOn:
		return g.goOn(s, last, b, c)
	case policyresult.Turn:
		return g.turn(s, last, b, c)
	case policyresult.Reserved:
		return g.reserved(s, last, d, c)
	case policyresult.Sleep:
		return 0, c.sleepBack(g.tickOf(last), now, d.Sleep)
	}
	return 0, c.setBack(g.tickOf(last), now)
}

// turn goes on at now on the other track, if that has anything left there.
func (g *DefaultGenerator) turn(s *sequence, last int64, b beside, c *call) (int64, *block) {
	now, turn := c.now, g.turnOf(last)^1
	v := g.value(now, turn, g.first())
	switch passed := g.tickOf(b.other); {
	case b.other >= 0 && passed > now:
		return 0, c.setBack(min(passed, g.tickOf(last)), now)
	case b.other >= 0 && passed == now:
		if g.seqOf(b.other) >= g.c.MaxSeq {
			// To borrow would be to go into what last's track has passed.
			full := policy.Full{Tick: g.c.Layout.start(now), Unit: g.c.Layout.Unit}
			return 0, c.full(b.other, g.c.TickFull(full) != policyresult.FailNow)
		}
		v = b.other + 1
	}
	if no := c.allowed(now); no != nil {
		return 0, no
	}
	b.other, b.drift = last, noDrift
	return g.give(s, last, v, b, c)
}

// endOfTick is the last value of v's tick and turn: the rest of them is passed
// over.
func (g *DefaultGenerator) endOfTick(v int64) int64 {
	if v < 0 {
		return v
	}
	return v | mask(g.c.Layout.SeqBits)
}
