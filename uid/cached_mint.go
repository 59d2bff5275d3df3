package uid

import (
	"math"
	"sync/atomic"

	"github.com/ringuid/ringuid/ringbuffer"
)

// mint turns ticks into spans of the ring; the padder drives it. The ids of a tick lie
// one step apart, as those of the ring's spans do, and where they reach up to the next
// tick, those of a run of ticks do. The lease changes only inside the padder's critical
// section, so Grant and Put see the same.
type mint struct {
	*core
	ring *ringbuffer.Ring
	ringShape
	ids  int64        // of a tick
	last atomic.Int64 // highest tick of which an id was put; math.MinInt64: none
}

// low is the number of slots below which the ring is refilled. It counts ids, as
// Baidu's threshold does: when there are fewer slots, there may be fewer ids than
// PaddingFactor's percentage of the ring, and not before.
func (m *mint) low() int {
	threshold := m.size() * int64(m.c.PaddingFactor) / 100
	slots := threshold / m.row * m.slotsOf(m.row)
	if rest := threshold % m.row; rest > 0 {
		// One of these slots may be the last of its row.
		short := m.slotsOf(m.row)*m.perSlot - m.row
		slots += min(m.slotsOf(rest+short), m.slotsOf(m.row))
	}
	return int(min(slots+1, m.slots))
}

func (m *mint) Grant() (lo, hi int64, end error, noBorrow bool) {
	h := m.held.Load()
	lo, hi, why, final := m.granted(h)
	if final {
		end = why
	}
	return lo, hi, end, h.noBorrow
}

func (m *mint) Ungranted() error {
	lo, hi, why, _ := m.granted(m.held.Load())
	return m.ungrantedAbove(lo, hi, why)
}

func (m *mint) Want(tick int64) { m.held.Load().Want(tick) }

func (m *mint) Put(tick, from, n int64) (put int64) {
	first := int64(m.fields.compose(Parts{Tick: tick - m.firstTick, Worker: m.held.Load().WorkerID(),
		Turn: m.c.Turn, Seq: m.c.MinSeq}))
	for put < n {
		span := min(n-put, m.perSlot)
		if !m.ring.Put(first+(from+put)*m.fields.step(), int(span)) {
			break
		}
		put += span
	}
	if put > 0 {
		m.last.Store(tick + (from+put-1)/m.ids)
	}
	return put
}

func (m *mint) Drop(before int64) int64 { return m.ring.Drop(m.lastBefore(before)) }

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

func (m *mint) Oldest() (int64, bool) {
	counted, ok, _ := m.ring.Front()
	return m.tickOf(counted), ok
}

// tickOf is the tick of a number, as the ring counts.
func (m *mint) tickOf(counted int64) int64 { return m.firstTick + m.fields.time.of(ID(counted)) }

func (m *mint) Used() int {
	_, _, slots := m.ring.Front()
	return slots
}

func (m *mint) Left() int64        { return m.ring.Left() }
func (m *mint) Arm(slots int) bool { return m.ring.Arm(slots) }
