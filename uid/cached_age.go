package uid

import (
	"math"
	"time"
)

// The ring is a window that moves with the clock. Ids are old when their tick ended half
// of MaxLag ago, or, where a tick is longer than that, as soon as it is over. They are
// dropped slot by slot; of a run of which some ticks are old, these are. So the next id is of
// the present tick or of one that ended at most MaxLag ago. Nothing is minted in place of what
// was dropped: takes have the ring refilled, when one uses up a slot and the ring is low, or
// finds the ring empty. Without takes it becomes empty within as many ticks as it holds. Then
// the padder sleeps, and no timer wakes it before the grant ends.
//
// When nothing newer may be minted, for example because the store of the lease is down,
// nothing is dropped, and before a grant ends the ring is filled with its last ticks. Ids that
// streams have taken and not yet handed out are dropped with those of the ring. All this
// happens on the padder's own timer: a take reads no clock.

// allDropped is mint.kept when there is nothing to drop.
const allDropped = math.MaxInt64

func (m *mint) Drop() (dropped int64, hoard bool) {
	m.now, m.begun = m.c.Now(), true
	m.look()
	dropped = m.expire()
	return dropped, m.ending() == 0
}

// before is the first tick that did not end this long ago.
func (m *mint) before(ago time.Duration) int64 {
	if m.c.MaxLag < 0 {
		return math.MinInt64
	}
	return m.c.Layout.unixTick(m.now.Add(-ago))
}

// ending is how long it is until no more ticks are granted than the ring may hold, or a nap
// may take: from then on it is kept full, as it may have to do for an outage.
func (m *mint) ending() time.Duration {
	unit := int64(m.c.Layout.Unit)
	last := max(m.slots*(m.row/m.ids), int64(nap)/unit)
	_, hi, _, _ := m.granted(m.held.Load())
	left := hi - last - m.c.Layout.unixTick(m.now) // ticks
	return time.Duration(min(max(left, 0), math.MaxInt64/unit) * unit)
}

// expire drops old ids, only while newer ones can be minted: in an outage old ids are better
// than none. It mints none in their place: without takes the ring becomes empty, and then
// there is nothing to do until a take asks for more.
func (m *mint) expire() (dropped int64) {
	if m.kept >= m.before(m.ripe) {
		return 0
	}
	// With those that will be old soon, or it would be once for each tick.
	before := m.before(m.ripe / 2)
	_, _, why := m.next()
	// Where our own bound holds the padder back, the newer ones were put already.
	if why != nil && !(why.ahead && m.minted >= before) {
		m.setPause(why)
		return 0
	}
	m.setPause(nil)
	dropped = m.drop(m.lastBefore(before))
	if m.kept = before; m.minted < before {
		m.kept = allDropped
	}
	return dropped
}

// drop drops the ids up to this number, as the ring counts, from the ring and from what
// streams hold.
func (m *mint) drop(last int64) (dropped int64) {
	for n := m.ring.Skip(last); n > 0; n = m.ring.Skip(last) { // a slot at a time
		dropped += n
	}
	m.ring.Expire(last)
	m.dropped += dropped
	return dropped
}

// lastBefore is the largest number that the ring may count of a tick before this one.
func (m *mint) lastBefore(tick int64) int64 {
	switch {
	case tick <= m.firstTick:
		return -1
	case tick > m.lastTick:
		return math.MaxInt64
	}
	return (tick-m.firstTick)<<m.fields.time.shift - 1
}

// tickOf is the tick of a number, as the ring counts.
func (m *mint) tickOf(counted int64) int64 { return m.firstTick + m.fields.time.of(ID(counted)) }

// Sleep is at most a nap while ids may become old or are waited for, so that a clock that was
// set meanwhile, or a machine that was suspended, is noticed.
func (m *mint) Sleep(filling bool) time.Duration {
	m.now = m.c.Now()
	sleep := time.Duration(math.MaxInt64)
	if left := m.ending(); left > 0 {
		sleep = left
	}
	if m.told.farAhead {
		sleep = min(sleep, nap) // until the clock has caught up
	}
	blocked := false // old ids stay, as no newer ones can be minted
	if m.kept != allDropped {
		old := m.c.Layout.tickStart(m.kept + 1).Add(m.ripe).Sub(m.now)
		if blocked = old <= 0 && m.pause != nil; !blocked {
			sleep = min(sleep, old, nap)
		}
	}
	if m.pause == nil || !filling && !blocked {
		return sleep
	}
	// The clock that showed the end of the layout may be corrected; and a grant may
	// change without notice.
	sleep = min(sleep, nap)
	if until := m.pause.until; !until.IsZero() {
		sleep = min(sleep, until.Sub(m.now))
	}
	return sleep
}
