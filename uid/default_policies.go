package uid

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// call is one attempt to make ids, under the sequence's lock.
type call struct {
	*source
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
	last, now := c.s.last, c.layout.unixTick(c.wall) // counted from the Unix epoch
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

// firstSeq is the sequence number with which a tick begins.
func (s *source) firstSeq() int64 {
	if s.conf.RandomSeq > 1 {
		return s.conf.MinSeq + rand.Int64N(s.conf.RandomSeq)
	}
	return s.conf.MinSeq
}

// startAhead decides on the first tick that is granted, which lies ahead of the clock and
// above last's tick, so that last grows on its track.
func (c *call) startAhead(first int64) *block {
	c.lease.Want(c.firstTick + first + 1)
	return c.begin(first, drift{granted: true,
		since: c.mono - c.wall.Sub(c.layout.start(c.now))}) // when the clock's tick began
}

// nextGranted decides on the tick after last's, in a run that began with the grant. The run goes
// no faster than the monotonic clock, and is a tick late at most. So it never gets further ahead
// than the grant was when the run began, even if more is granted, and a wall clock that is set
// back does not matter. The tick after the next one is asked for ahead of time.
func (c *call) nextGranted() *block {
	unit, tick, since := c.layout.Unit, c.s.last.Tick+1, c.s.drift.since
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
	case last.Seq < c.layout.maxSeq():
		c.next, c.drift = last, d
		c.next.Seq++
		return nil
	case d.granted:
		return c.nextGranted()
	case d.borrowed >= c.conf.borrow:
		return c.full(c.layout.start(last.Tick + 1))
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
	switch back := c.conf.ClockBack.(type) {
	case policy.WaitUpTo:
		b, caughtUp := c.setBack(last), c.layout.start(last)
		if caughtUp.Sub(c.layout.start(c.now)) <= time.Duration(back) {
			b.until = caughtUp
		}
		return b
	case policy.Reserved:
		return c.reserved(back)
	}
	switch c.conf.ClockBack {
	case policy.GoOn:
		return c.goOn()
	case policy.Turn:
		return c.flipTurn()
	}
	return c.setBack(last)
}

// flipTurn continues at now on the other track, if that has anything left there.
func (c *call) flipTurn() *block {
	last, other := c.s.last, c.s.other
	c.next = Parts{Tick: c.now, Turn: last.Turn ^ 1, Seq: c.firstSeq()}
	switch {
	case other.Tick > c.now:
		return c.setBack(min(other.Tick, last.Tick))
	case other.Tick == c.now && other.Seq >= c.layout.maxSeq():
		// Borrowing would lead into ticks that last's track has passed.
		return c.full(c.layout.start(c.now + 1))
	case other.Tick == c.now:
		c.next.Seq = other.Seq + 1
	}
	return c.allowed(c.now)
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
	for left := r.Last - r.First + 1; top > 0 && p.tick <= p.bottom && left > 0; left-- {
		if p.number++; p.tops == nil || p.number > r.Last {
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

// allowed says what keeps a tick other than now from being used.
func (c *call) allowed(tick int64) *block {
	if tick > c.layout.maxTick() {
		return c.overNow()
	}
	if tick > c.now && c.lease.noBorrow {
		return notBegun(c.layout.start(tick))
	}
	return c.ungranted(c.lease, c.firstTick+tick)
}

// overNow says that the layout's time is over, by a clock that may be wrong.
func (c *call) overNow() *block {
	return &block{err: fmt.Errorf("%w (the clock shows %s)", c.over, timeString(c.wall))}
}

// full says that a tick has no numbers left: they were handed out, or given up with a worker
// id. The next ones come when the clock shows next.
func (c *call) full(next time.Time) *block {
	no := &block{err: fmt.Errorf("%w: none of its %d ids is left; the next ones come at %s",
		ErrTickFull, c.conf.tickIDs(), timeString(next))}
	if c.conf.TickFull != policy.FailNow {
		no.until = next
	}
	return no
}

// setBack refuses a clock that was set back, to before this tick.
func (c *call) setBack(tick int64) *block {
	from, to := c.layout.start(tick), c.layout.start(c.now)
	return &block{err: fmt.Errorf(
		"%w by about %v: ids were made at %s, now it is %s: none until it has caught up",
		ErrClockBack, from.Sub(to), timeString(from), timeString(to))}
}
