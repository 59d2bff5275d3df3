package uid

import (
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/internal/policyresult"
	"github.com/ringuid/ringuid/policy"
)

// rules are what the values of a generator look like, and its policies.
type rules struct {
	layout    Layout
	min, max  int64 // of the sequence
	random    int64 // the first number of a tick is random, fewer than this many above min
	turn0     int64 // the turn before the first value
	clockBack policy.ClockBack
	tickFull  policy.TickFull
}

// -1 for -1
func (r *rules) tickOf(v int64) int64 { return v >> (r.layout.SeqBits + r.layout.TurnBits) }
func (r *rules) seqOf(v int64) int64  { return v & mask(r.layout.SeqBits) }

func (r *rules) turnOf(v int64) int64 {
	if v < 0 {
		return r.turn0
	}
	return v >> r.layout.SeqBits & mask(r.layout.TurnBits)
}

func (r *rules) value(tick, turn, seq int64) int64 {
	return (tick<<r.layout.TurnBits|turn)<<r.layout.SeqBits | seq
}

// first is the first number of a tick.
func (r *rules) first() int64 {
	if r.random > 1 {
		return r.min + rand.Int64N(r.random)
	}
	return r.min
}

// next gives out values for the clock's tick. The state was looked at before the
// clock was, so a tick before last's means that the clock was set back. Policies are
// asked without a lock: their answer counts only if nothing was given out meanwhile.
func (r *rules) next(s *sequence, at state, c *call) (v int64, b *block) {
	switch tick := r.tickOf(at.last); {
	case c.now > tick:
		return r.give(s, at.last, r.value(c.now, r.turnOf(at.last), r.first()), at.beside, c)
	case c.now == tick || tick == at.drift.to:
		return r.goOn(s, at.last, at.beside, c)
	}
	return r.back(s, at.last, at.beside, c)
}

// give gives out v and the values after it, as many as the call asks for and v's
// tick holds. What is left of the tick is the next lap's, if it is a tick for which
// the next call needs to ask no policy.
func (r *rules) give(s *sequence, last, v int64, b beside, c *call) (int64, *block) {
	if c.want == none {
		return v, nil
	}
	tick, top := r.tickOf(v), v-r.seqOf(v)+r.max
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
	if r.turnOf(v) != r.turnOf(last) { // whose values may be smaller
		cur = r.newTerm(cur.lease)
		s.cur.Store(cur)
	}
	if width > 0 && s.last < top {
		first := r.id(cur.lease, s.last+1)
		cur.open(first, top-s.last, c.mono+width)
		s.running = true
	}
	return v, nil
}

// giveOne gives out v alone, and passes over the rest of its tick.
func (r *rules) giveOne(s *sequence, last, v int64, b beside, c *call) (int64, *block) {
	if c.want == none {
		return v, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.at(c.cur, last) {
		return 0, again
	}
	c.got = 1
	s.last, s.taken, s.beside = r.endOfTick(v), s.taken+1, b
	return v, nil
}

// goOn gives out the next value of last's tick, or does what the policy says
// when there is none.
func (r *rules) goOn(s *sequence, last int64, b beside, c *call) (int64, *block) {
	if r.seqOf(last) < r.max {
		return r.give(s, last, last+1, b, c)
	}
	tick := r.tickOf(last)
	if tick != b.drift.to {
		b.drift = drift{tick, tick}
	}
	action := r.tickFull(policy.Full{Tick: r.layout.start(tick), Unit: r.layout.Unit,
		Borrowed: b.drift.to - b.drift.from})
	b.drift.to++
	v := r.value(b.drift.to, r.turnOf(last), r.first())
	switch action {
	case policyresult.Borrow:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		return r.give(s, last, v, b, c)
	case policyresult.BorrowOne:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		return r.giveOne(s, last, v, b, c)
	case policyresult.FailNow:
		return 0, c.full(last, false)
	}
	return 0, c.full(last, true)
}

// back does what the policy says about a clock before last's tick.
func (r *rules) back(s *sequence, last int64, b beside, c *call) (int64, *block) {
	now := c.now
	d := r.clockBack(c.back(r.tickOf(last), now))
	if err := c.g.c.canBack(d); err != nil { // it may answer otherwise than when it was asked first
		return 0, &block{err: err}
	}
	switch d.Action {
	case policyresult.GoOn:
		return r.goOn(s, last, b, c)
	case policyresult.Turn:
		return r.turn(s, last, b, c)
	case policyresult.Reserved:
		return r.reserved(s, last, d, c)
	case policyresult.Sleep:
		return 0, c.sleepBack(r.tickOf(last), now, d.Sleep)
	}
	return 0, c.setBack(r.tickOf(last), now)
}

// turn goes on at now on the other track, if that has anything left there.
func (r *rules) turn(s *sequence, last int64, b beside, c *call) (int64, *block) {
	now, turn := c.now, r.turnOf(last)^1
	v := r.value(now, turn, r.first())
	switch passed := r.tickOf(b.other); {
	case b.other >= 0 && passed > now:
		return 0, c.setBack(min(passed, r.tickOf(last)), now)
	case b.other >= 0 && passed == now:
		if r.seqOf(b.other) >= r.max {
			// To borrow would be to go into what last's track has passed.
			full := policy.Full{Tick: r.layout.start(now), Unit: r.layout.Unit}
			return 0, c.full(b.other, r.tickFull(full) != policyresult.FailNow)
		}
		v = b.other + 1
	}
	if no := c.allowed(now); no != nil {
		return 0, no
	}
	b.other, b.drift = last, noDrift
	return r.give(s, last, v, b, c)
}

// endOfTick is the last value of v's tick and turn: the rest of them is passed
// over.
func (r *rules) endOfTick(v int64) int64 {
	if v < 0 {
		return v
	}
	return v | mask(r.layout.SeqBits)
}
