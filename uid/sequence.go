package uid

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/policy"
)

// sequence gives out the values of a worker id, each once. A value is an id
// without worker and tail:
//
//	value = tick | turn | sequence, with the tick counted from the layout's first
//
// Values with turn 0 and those with turn 1 are two tracks. last is the latest
// value, on the track in use; other is the latest on the other track. Each track
// only grows:
//
//	last and other change by a successful swap of last alone, from a value of a
//	track to a greater one of the same track, or, in a turn, to a value greater
//	than other of the other track, whereupon other becomes what last was
//
// so no value is given out twice. Reserved numbers are below min or above max, which
// no track uses; what guards them is at reserve.
type sequence struct {
	_    cacheline.Pad
	last atomic.Int64 // -1 before the first
	_    cacheline.Pad

	mu    sync.Mutex // the rare cases: the clock went back, or the tick is full
	other int64      // -1: that track was never used
	drift drift
	past  reserve
}

// sealed is what last is after seal: neither a value nor what it begins with.
const sealed = -2

// drift is a run of borrowed ticks: from the tick that was full first to the
// latest. It is over as soon as last is in another tick.
type drift struct{ from, to int64 }

// rules are what the values of a generator look like, and its policies.
type rules struct {
	layout    Layout
	min, max  int64 // of the sequence
	random    int64 // the first number of a tick is random, fewer than this many above min
	turn0     int64 // the turn before the first value
	clockBack policy.ClockBack
	tickFull  policy.TickFull
}

func (r *rules) init(s *sequence) {
	s.last.Store(-1)
	s.other = -1
	s.drift.to = -1
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
	if !s.last.CompareAndSwap(last, v) {
		return 0, again
	}
	return v, nil
}

// rare is next when the tick is full or the clock went back, one call at a time.
func (r *rules) rare(s *sequence, last, now int64, c *call) (int64, *block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last.Load() != last {
		return 0, again // it was somebody else's turn: the clock may show more by now
	}
	tick := r.tickOf(last)
	if now == tick || tick == s.drift.to {
		return r.goOn(s, last, c)
	}
	return r.back(s, last, now, c)
}

// goOn gives out the next value of last's tick, or does what the policy says
// when there is none.
func (r *rules) goOn(s *sequence, last int64, c *call) (int64, *block) {
	if r.seqOf(last) < r.max {
		return r.move(s, last, last+1)
	}
	tick := r.tickOf(last)
	run := drift{tick, tick}
	if tick == s.drift.to {
		run = s.drift
	}
	action := r.tickFull(policy.Full{Tick: r.layout.start(tick), Unit: r.layout.Unit, Borrowed: run.to - run.from})
	run.to++
	v := r.value(run.to, r.turnOf(last), r.first())
	switch action {
	case policy.Borrow:
		if b := c.allowed(run.to); b != nil {
			return 0, b
		}
		s.drift = run
		return r.move(s, last, v)
	case policy.BorrowOne:
		if b := c.allowed(run.to); b != nil {
			return 0, b
		}
		s.drift = run
		// The rest of the tick is passed over: last is its last value.
		_, b := r.move(s, last, v|mask(r.layout.SeqBits))
		return v, b
	case policy.FailFull:
		return 0, c.full(tick, false)
	}
	return 0, c.full(tick, true)
}

// move gives out v after last.
func (r *rules) move(s *sequence, last, v int64) (int64, *block) {
	if !s.last.CompareAndSwap(last, v) {
		return 0, again // a call that saw a later clock was faster
	}
	return v, nil
}

// back does what the policy says about a clock before last's tick.
func (r *rules) back(s *sequence, last, now int64, c *call) (int64, *block) {
	d := r.clockBack(c.back(r.tickOf(last), now))
	if err := c.g.c.canBack(d); err != nil { // it may answer otherwise than when it was asked first
		return 0, &block{err: err}
	}
	switch d.Action {
	case policy.GoOnBack:
		return r.goOn(s, last, c)
	case policy.TurnBack:
		return r.turn(s, last, now, c)
	case policy.ReserveBack:
		return r.reserved(s, last, d, c)
	case policy.SleepBack:
		return 0, c.sleepBack(r.tickOf(last), now, d.Sleep)
	}
	return 0, c.setBack(r.tickOf(last), now)
}

// turn goes on at now on the other track, if that has anything left there.
func (r *rules) turn(s *sequence, last, now int64, c *call) (int64, *block) {
	turn := r.turnOf(last) ^ 1
	v := r.value(now, turn, r.first())
	switch passed := r.tickOf(s.other); {
	case s.other >= 0 && passed > now:
		return 0, c.setBack(min(passed, r.tickOf(last)), now)
	case s.other >= 0 && passed == now:
		if r.seqOf(s.other) >= r.max {
			// To borrow would be to go into what last's track has passed.
			full := policy.Full{Tick: r.layout.start(now), Unit: r.layout.Unit}
			return 0, c.full(now, r.tickFull(full) != policy.FailFull)
		}
		v = s.other + 1
	}
	if b := c.allowed(now); b != nil {
		return 0, b
	}
	if _, b := r.move(s, last, v); b != nil {
		return 0, b
	}
	s.other = last
	return v, nil
}

// endTick passes over the rest of the last tick: it was another worker id's, and
// a lower one would give smaller ids in it.
func (r *rules) endTick(s *sequence) {
	for {
		last := s.last.Load()
		if last < 0 || s.last.CompareAndSwap(last, last|mask(r.layout.SeqBits)) {
			return
		}
	}
}

// seal takes the sequence away from calls that are halfway through: their swap of
// last fails. It is the last thing that happens to a sequence.
func (r *rules) seal(s *sequence) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.other = max(s.other, s.last.Swap(sealed))
}

// highest is the greatest value that was given out, or -1.
func (r *rules) highest(s *sequence) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.last.Load(), s.other)
}
