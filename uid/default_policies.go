package uid

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// firstSeq is the sequence number with which a tick begins.
func (g *DefaultGenerator) firstSeq() int64 {
	if g.c.RandomSeq > 1 {
		return g.c.MinSeq + rand.Int64N(g.c.RandomSeq)
	}
	return g.c.MinSeq
}

// startAhead decides on the first tick that is granted, which lies ahead of the clock and
// above last's tick, so that last grows on its track.
func (c *call) startAhead(first int64) *block {
	c.lease.Want(c.firstTick + first + 1)
	return c.begin(first, drift{granted: true,
		since: c.mono - c.wall.Sub(c.c.Layout.start(c.now))}) // when the clock's tick began
}

// nextGranted decides on the tick after last's, in a run that began with the grant. The run goes
// no faster than the monotonic clock, and is a tick late at most. So it never gets further ahead
// than the grant was when the run began, even if more is granted, and a wall clock that is set
// back does not matter. The tick after the next one is asked for ahead of time.
func (c *call) nextGranted() *block {
	unit, tick, since := c.c.Layout.Unit, c.s.last.Tick+1, c.s.drift.since
	if no := c.allowed(tick); no != nil {
		return no
	}
	if wait := since + unit - c.mono; wait > 0 {
		return c.full(c.wall.Add(wait))
	}
	c.lease.Want(c.firstTick + tick + 1)
	return c.begin(tick, drift{granted: true, since: max(since+unit, c.mono-unit)})
}

// goOn decides on the next number of last's tick, or does what TickFull says when there is
// none.
func (c *call) goOn() *block {
	last, d := c.s.last, c.s.drift
	if d.granted && c.now >= last.Tick {
		d = drift{} // the clock has caught up, and is followed from now on
	}
	switch {
	case last.Seq < c.c.MaxSeq:
		c.next, c.drift = last, d
		c.next.Seq++
		return nil
	case d.granted:
		return c.nextGranted()
	case d.borrowed >= c.c.borrow:
		return c.full(c.c.Layout.start(last.Tick + 1))
	}
	d.borrowed++
	if no := c.allowed(last.Tick + 1); no != nil {
		return no
	}
	return c.begin(last.Tick+1, d)
}

// back does what ClockBack says about a clock that shows a tick before last's.
func (c *call) back() *block {
	last := c.s.last.Tick
	switch back := c.c.ClockBack.(type) {
	case policy.WaitUpTo:
		b, caughtUp := c.setBack(last), c.c.Layout.start(last)
		if caughtUp.Sub(c.c.Layout.start(c.now)) <= time.Duration(back) {
			b.until = caughtUp
		}
		return b
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
	return c.setBack(last)
}

// turn continues at now on the other track, if that has anything left there.
func (c *call) turn() *block {
	last, other := c.s.last, c.s.other
	c.next = Parts{Tick: c.now, Turn: last.Turn ^ 1, Seq: c.firstSeq()}
	switch {
	case other.Tick > c.now:
		return c.setBack(min(other.Tick, last.Tick))
	case other.Tick == c.now && other.Seq >= c.c.MaxSeq:
		// Borrowing would lead into ticks that last's track has passed.
		return c.full(c.c.Layout.start(c.now + 1))
	case other.Tick == c.now:
		c.next.Seq = other.Seq + 1
	}
	return c.allowed(c.now)
}

// reserve is how reserved sequence numbers are used when the clock was set back. Each
// step back takes the next number, and gives one id with it in each tick before the
// last id's, downwards. tops[i] is the highest tick that was ever begun with number i;
// a later step with that number stops above it:
//
//	with number i, ticks come in runs, each from its top down to above the top of
//	the run before
//
// So no tick has a number twice. That holds wherever a run's top lies and whichever
// ticks it leaves out on its way down. With a worker id that is not fenced, the top is
// the clock's tick, to which the run moves down each time the clock is set back: no
// tick is minted before it begins, which is how the next start of the worker id keeps
// clear of it (heldLease).
type reserve struct {
	tops   map[int64]int64
	number int64 // in use; 0 before the first step
	tick   int64 // of the next id
	bottom int64 // the run ends above it; 0, Yitter's first tick, for a number's first run
	since  Parts // the sequence's last number when the step began
}

// reserved decides on the next number of the past, if any is left.
func (c *call) reserved(r policy.Reserved) *block {
	last, p := c.s.last, &c.s.past
	top := last.Tick - 1
	if c.lease.noBorrow {
		top = c.now
	}
	if p.since != last {
		p.since, p.tick = last, p.bottom
	}
	p.tick = min(p.tick, top)
	// This number's past is used up: take the next number that has any left.
	for left := r.Last - r.First + 1; p.tick <= p.bottom && left > 0; left-- {
		if p.number++; p.number < r.First || p.number > r.Last {
			p.number = r.First
		}
		if p.tick, p.bottom = top, p.tops[p.number]; p.tick > p.bottom {
			if p.tops == nil {
				p.tops = map[int64]int64{}
			}
			p.tops[p.number] = top
		}
	}
	// The past before the grant is another holder's.
	lo, hi, _, _ := c.granted(c.lease)
	if tick := c.firstTick + p.tick; p.tick <= p.bottom || tick < lo || hi < tick {
		return c.setBack(last.Tick)
	}
	c.next = Parts{Tick: p.tick, Turn: last.Turn, Seq: p.number}
	return nil
}

// overNow says that the layout's time is over, by a clock that may be wrong.
func (c *call) overNow() *block {
	return &block{err: fmt.Errorf("%w (the clock shows %s)", c.over, timeString(c.wall))}
}

// notBegun says that a worker id which is not fenced makes no ids ahead of the clock.
func notBegun(begin time.Time) *block {
	return &block{
		err: fmt.Errorf("%w: the worker id is not fenced, so no ids are made ahead of the clock, "+
			"the next at %s", ErrAhead, timeString(begin)),
		until: begin,
	}
}

// full says that a tick has no numbers left: they were handed out, or given up with a worker
// id. The next ones come when the clock shows next.
func (c *call) full(next time.Time) *block {
	no := &block{err: fmt.Errorf("%w: none of its %d ids is left; the next ones come at %s",
		ErrTickFull, c.c.tickIDs(), timeString(next))}
	if c.c.TickFull != policy.FailNow {
		no.until = next
	}
	return no
}

// setBack refuses a clock that was set back, to before this tick.
func (c *call) setBack(tick int64) *block {
	from, to := c.c.Layout.start(tick), c.c.Layout.start(c.now)
	return &block{err: fmt.Errorf(
		"%w by about %v: ids were made at %s, now it is %s: none until it has caught up",
		ErrClockBack, from.Sub(to), timeString(from), timeString(to))}
}
