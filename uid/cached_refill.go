package uid

import (
	"math"

	"github.com/ringuid/ringuid/padding"
)

// ticksAtOnce is how many ticks are put under one lock and with one reading of the clock.
const ticksAtOnce = 64

// Refill drops old ids. Then, if the ring is to be filled, it mints and puts until the ring is
// full or nothing may be minted.
func (m *mint) Refill(r padding.Request) (put int64, more bool) {
	m.stop()
	m.now = m.conf.Now()
	m.look()
	m.expire()
	used := m.used()
	if m.ending() == 0 {
		r = padding.Always
	}
	switch {
	case r == padding.IfLow && m.pays && used < m.lowWater(),
		r == padding.Always && used < int(m.slots):
		m.filling = true
	case r != padding.Always && !m.pays: // the grant no longer ends
		if m.filling = false; m.pause != nil {
			_, why := m.next()
			m.setPause(why)
		}
	}
	if m.filling {
		put, more = m.fill()
	}
	if put > 0 {
		m.queue.progress.Store(int64(m.mono()))
		m.refills++
	}
	return put, more
}

// fill mints and puts until the ring is full.
func (m *mint) fill() (put int64, more bool) {
	for range ticksAtOnce {
		if m.used() == int(m.slots) {
			m.filled()
			return put, false
		}
		if !m.supply(m.before(m.dropAfter)) && m.leftover.n == 0 {
			return put, false
		}
		put += m.putLeftover()
	}
	return put, true
}

// filled ends a refill. If there is a RejectPut to ask, it mints a tick for the full ring to
// reject: Baidu's refill ends only when a put was rejected.
func (m *mint) filled() {
	m.asks = m.conf.RejectPut != nil && (m.leftover.n > 0 || m.supply(math.MinInt64))
	if m.leftover.n > 0 {
		m.rejectedPuts++
	}
	m.filling = false
}

// supply makes sure that there are ids of a tick from oldest on: the leftover, or a new tick. It
// returns false when there are none; the pause says why.
func (m *mint) supply(oldest int64) bool {
	if m.leftover.n > 0 && m.leftover.tick >= oldest {
		return true
	}
	tick, pause := m.next()
	m.setPause(pause)
	if pause != nil {
		return false
	}
	m.minted.Store(tick)
	m.leftover = leftover{tick: tick, n: m.ids}
	return true
}

// putLeftover puts as much of the leftover as fits.
func (m *mint) putLeftover() (put int64) {
	r, first := m.leftover, int64(m.firstLeft())
	for put < r.n {
		span := min(r.n-put, m.perSlot)
		if !m.ring.Put(first+put*m.fields.step(), int(span)) {
			break
		}
		put += span
	}
	if m.conf.MaxLag >= 0 {
		m.oldest = min(m.oldest, r.tick)
	}
	m.use(put)
	return put
}

// firstLeft returns the first id of the leftover.
func (m *mint) firstLeft() ID {
	return m.fields.compose(Parts{Tick: m.leftover.tick - m.firstTick,
		Worker: m.held.Load().WorkerID()}) + ID(m.leftover.from*m.fields.step())
}

// use takes n ids from the leftover.
func (m *mint) use(n int64) {
	m.leftover.from, m.leftover.n, m.put = m.leftover.from+n, m.leftover.n-n, m.put+n
}

// Refilled lets RejectPut decide about what the last refill could not put, unless that has been
// put, or is old, by the time it answers. It is called outside of the critical section.
func (m *mint) Refilled() {
	var about leftover
	m.padder.Do(func() {
		if m.asks {
			about, m.asks = m.leftover, false
		}
	})
	if about.n == 0 || !m.discards(about) {
		return
	}
	m.padder.Do(func() {
		if m.leftover == about { // nothing of it was put or taken
			m.discarded += about.n
			m.leftover = leftover{}
		}
	})
}

// discards returns what RejectPut says; false when it panics.
func (m *mint) discards(r leftover) bool {
	defer m.rescue("panic in the reject-put handler; the rest of the tick is kept")
	return m.conf.RejectPut(r.n, m.layout.tickStart(r.tick))
}

// Panicked logs the panic of a lease, or that the user's code ended the padder's goroutine.
func (m *mint) Panicked(v any) { m.panicked(minting, v) }
