package uid

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// block is why a default generator has no id now.
type block struct {
	err     error
	until   time.Time       // wait until the clock shows this,
	pause   time.Duration   // or for so long
	since   time.Time       // from then on,
	changed <-chan struct{} // or for this
}

// again: the state changed meanwhile; nothing is in the way.
var again = &block{err: errors.New("uid: try again")}

func (b *block) final() bool { return b.until.IsZero() && b.pause == 0 && b.changed == nil }

// call is one attempt to make ids.
type call struct {
	g      *DefaultGenerator
	s      *sequence
	cur    *term         // whose lease counts
	at     state         // of the sequence; what it is to be becomes true in give
	want   int64         // so many values, at most
	got    int64         // how many it got
	mono   time.Duration // the monotonic clock, read after the state
	wall   time.Time     // the wall clock, of which
	now    int64         // this is the tick, counted from the layout's first
	waited time.Duration // for the clock, so far
}

// still: nothing was given out since the state was looked at, and something may be. The
// caller has the sequence's lock.
func (c *call) still() bool {
	s := c.s
	return s.cur.Load() == c.cur && !s.running && !s.sealed && s.last == c.at.last
}

// width is how long the next lap may last when it is of this tick.
func (c *call) width(tick int64) time.Duration {
	if c.g.trust == 0 {
		return 0
	}
	return min(c.g.trust, c.g.c.Layout.start(tick+1).Sub(c.wall))
}

// allowed says what keeps a tick other than now from being used.
func (c *call) allowed(tick int64) *block {
	if tick > c.g.c.Layout.maxTick() {
		return c.over()
	}
	if tick > c.now && c.cur.lease.noBorrow {
		return notBegun(c.g.c.Layout.start(tick))
	}
	return c.g.ungranted(c.cur.lease, c.g.firstTick+tick)
}

// over says that the layout's time is, by a clock that may be wrong.
func (c *call) over() *block {
	return &block{err: fmt.Errorf("%w (the clock shows %s)", c.g.over, timeString(c.wall))}
}

// notBegun says that a worker id which is not fenced mints no tick before it begins.
func notBegun(begin time.Time) *block {
	return &block{
		err: fmt.Errorf("%w: the worker id is not fenced, so no tick is minted before it begins, "+
			"the next at %s", ErrAhead, timeString(begin)),
		until: begin,
	}
}

// full says that a tick has no numbers left: they were handed out, or given up with a worker
// id. The next ones come when the clock shows next.
func (c *call) full(next time.Time) *block {
	no := &block{err: fmt.Errorf("%w: none of its %d ids is left; the next ones come at %s",
		ErrTickFull, c.g.c.tickIDs(), timeString(next))}
	if c.g.c.TickFull != policy.FailNow {
		no.until = next
	}
	return no
}

// setBack refuses a clock that was set back, to before this tick.
func (c *call) setBack(tick int64) *block {
	from, to := c.g.c.Layout.start(tick), c.g.c.Layout.start(c.now)
	return &block{err: fmt.Errorf(
		"%w by about %v: ids were made at %s, now it is %s: none until it has caught up",
		ErrClockBack, from.Sub(to), timeString(from), timeString(to))}
}

// sleepBack waits for the clock to catch up.
func (c *call) sleepBack(tick int64, d time.Duration) *block {
	b := c.setBack(tick)
	b.pause, b.since = d, time.Now()
	return b
}

// sleep is how long to wait for b to pass by itself.
func (b *block) sleep(now time.Time) time.Duration {
	switch {
	case b.pause > 0:
		return b.pause - time.Since(b.since)
	case b.until.IsZero():
		return math.MaxInt64
	}
	return max(b.until.Sub(now), time.Millisecond/8)
}

// tooFar: waiting for it without a context would be in vain.
func (b *block) tooFar(now time.Time) bool { return b.changed == nil && b.sleep(now) > patience }

// ended says why a wait for b ended.
func (b *block) ended(why error) *block {
	return &block{err: fmt.Errorf("%w: %w", b.err, why)}
}
