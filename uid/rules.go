package uid

import (
	"math/rand/v2"

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

func (r *rules) tickOf(v int64) int64 { return v >> (r.layout.SeqBits + r.layout.TurnBits) } // -1 for -1
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

// next gives out a value for the tick now. last was read before the clock was, so
// a tick before last's means that the clock was set back.
func (r *rules) next(s *sequence, last, now int64, c *call) (v int64, b *block) {
	tick := r.tickOf(last)
	switch {
	case now > tick:
		v = r.value(now, r.turnOf(last), r.first())
	case now == tick && r.seqOf(last) < r.max:
		v = last + 1
	default:
		return r.rare(s, last, now, c)
	}
	if !c.cur.last.CompareAndSwap(last, v) {
		return 0, again
	}
	return v, nil
}

// rare is next when the tick is full or the clock went back. Policies are asked
// without a lock: their answer counts only if nothing was given out meanwhile.
func (r *rules) rare(s *sequence, last, now int64, c *call) (int64, *block) {
	b, ok := s.look(c.cur, last)
	if !ok {
		return 0, again // it was somebody else's turn: the clock may show more by now
	}
	tick := r.tickOf(last)
	if now == tick || tick == b.drift.to {
		return r.goOn(s, last, b, c)
	}
	return r.back(s, last, now, b, c)
}

// goOn gives out the next value of last's tick, or does what the policy says
// when there is none.
func (r *rules) goOn(s *sequence, last int64, b beside, c *call) (int64, *block) {
	if r.seqOf(last) < r.max {
		return s.move(c.cur, last, last+1, b)
	}
	tick := r.tickOf(last)
	if tick != b.drift.to {
		b.drift = drift{tick, tick}
	}
	action := r.tickFull(policy.Full{Tick: r.layout.start(tick), Unit: r.layout.Unit, Borrowed: b.drift.to - b.drift.from})
	b.drift.to++
	v := r.value(b.drift.to, r.turnOf(last), r.first())
	switch action {
	case policy.Borrow:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		return s.move(c.cur, last, v, b)
	case policy.BorrowOne:
		if no := c.allowed(b.drift.to); no != nil {
			return 0, no
		}
		// The rest of the tick is passed over: last is its last value.
		_, no := s.move(c.cur, last, r.endOfTick(v), b)
		return v, no
	case policy.FailFull:
		return 0, c.full(tick, false)
	}
	return 0, c.full(tick, true)
}

// back does what the policy says about a clock before last's tick.
func (r *rules) back(s *sequence, last, now int64, b beside, c *call) (int64, *block) {
	d := r.clockBack(c.back(r.tickOf(last), now))
	if err := c.g.c.canBack(d); err != nil { // it may answer otherwise than when it was asked first
		return 0, &block{err: err}
	}
	switch d.Action {
	case policy.GoOnBack:
		return r.goOn(s, last, b, c)
	case policy.TurnBack:
		return r.turn(s, last, now, b, c)
	case policy.ReserveBack:
		return r.reserved(s, last, d, c)
	case policy.SleepBack:
		return 0, c.sleepBack(r.tickOf(last), now, d.Sleep)
	}
	return 0, c.setBack(r.tickOf(last), now)
}

// turn goes on at now on the other track, if that has anything left there.
func (r *rules) turn(s *sequence, last, now int64, b beside, c *call) (int64, *block) {
	turn := r.turnOf(last) ^ 1
	v := r.value(now, turn, r.first())
	switch passed := r.tickOf(b.other); {
	case b.other >= 0 && passed > now:
		return 0, c.setBack(min(passed, r.tickOf(last)), now)
	case b.other >= 0 && passed == now:
		if r.seqOf(b.other) >= r.max {
			// To borrow would be to go into what last's track has passed.
			full := policy.Full{Tick: r.layout.start(now), Unit: r.layout.Unit}
			return 0, c.full(now, r.tickFull(full) != policy.FailFull)
		}
		v = b.other + 1
	}
	if no := c.allowed(now); no != nil {
		return 0, no
	}
	b.other = last
	return s.move(c.cur, last, v, b)
}

// endOfTick is the last value of v's tick and turn: the rest of them is passed
// over.
func (r *rules) endOfTick(v int64) int64 {
	if v < 0 {
		return v
	}
	return v | mask(r.layout.SeqBits)
}
