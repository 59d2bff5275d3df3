package uid

import (
	"math"
	"time"
)

// Ids are old when their tick ended half of MaxLag ago or, if a tick is longer than that, as
// soon as it is over. They are dropped slot by slot, from the ring and from what streams hold.
// Nothing is minted in their place: takes have the ring refilled. Without takes the ring becomes
// empty within as many ticks as it holds, and then no timer wakes the padder before the grant
// ends.

// ending returns the time until the rest of the grant fits into the ring, or takes maxSleep. From
// then on the ring is kept full, as it may have to last through an outage.
func (m *mint) ending() time.Duration {
	unit := int64(m.layout.Unit)
	last := max(m.slots, int64(maxSleep)/unit)
	lo, hi, _, _ := m.granted(m.held.Load())
	if lo > hi {
		return math.MaxInt64 // there is nothing to keep
	}
	left := hi - last - m.layout.unixTick(m.now) // ticks
	return time.Duration(min(max(left, 0), math.MaxInt64/unit) * unit)
}

// expire drops old ids, but only while newer ones can be minted: in an outage old ids are
// better than none.
func (m *mint) expire() {
	if m.oldest >= m.before(m.dropAfter) {
		return
	}
	// Ids that will be old soon are included, or this would be done once for each tick.
	before := m.before(m.dropAfter / 2)
	tick, why := m.next()
	// If a bound of our own holds the padder back, the newer ids have already been put.
	if why != nil && !(why.ahead && m.minted.Load() >= before) {
		m.setPause(why)
		return
	}
	m.setPause(nil)
	// No more ticks than can be minted, or there would be fewer ids when the grant ends.
	if front, ok, _ := m.ring.Front(); ok {
		_, hi, _, _ := m.granted(m.held.Load())
		before = min(before, m.tickOf(front)+min(hi-tick, math.MaxInt32)+1)
	}
	if m.drop(before) > 0 {
		m.filling = false // no take waits for ids while there are some
		m.pays = m.pays && m.used() > 0
	}
	if m.oldest = before; m.minted.Load() < before {
		m.oldest = allDropped
	}
}

// drop drops the ids of ticks before this one, which lies in the layout's time, from the ring
// and from what streams hold.
func (m *mint) drop(before int64) (dropped int64) {
	dropped = m.ring.Drop((before-m.firstTick)<<m.fields.time.shift - 1) // as the ring counts
	m.dropped += dropped
	return dropped
}

// Arm arms the low-water mark, and returns how long to sleep at most. A ring that is not yet full
// waits for the pause to pass, and an empty one for a take. Where old ids were dropped, the next
// slot that is used up asks for more. If arming fails otherwise, takes have just made the ring
// low.
func (m *mint) Arm() time.Duration {
	used := m.used()
	if !m.filling && used > 0 && !m.ring.Arm(min(used, m.lowWater())) {
		return 0
	}
	m.now = m.conf.Now()
	return max(m.sleep(), time.Millisecond)
}

// sleep returns how long there is nothing to do: at most a maxSleep while ids may become old or are
// waited for, so that it is noticed if the clock was set or the machine was suspended
// meanwhile.
func (m *mint) sleep() time.Duration {
	sleep := time.Duration(math.MaxInt64)
	if left := m.ending(); left > 0 {
		sleep = left
	}
	if m.logged.farAhead {
		sleep = min(sleep, maxSleep) // until the clock has caught up
	}
	waits := m.filling // for the pause to pass
	if m.oldest != allDropped {
		old := m.layout.tickStart(m.oldest + 1).Add(m.dropAfter).Sub(m.now)
		if old > 0 || m.pause == nil {
			sleep = min(sleep, old, maxSleep)
		} else {
			waits = true // old ids stay until newer ones can be minted
		}
	}
	if m.pause != nil && waits {
		// The clock that showed the end of the layout may be corrected; and a grant may
		// change without notice.
		sleep = min(sleep, maxSleep)
		if until := m.pause.until; !until.IsZero() {
			sleep = min(sleep, until.Sub(m.now))
		}
	}
	return sleep
}
