package uid

import (
	"math"

	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/ringbuffer"
)

// mint turns ticks into spans of the ring; the padder drives it. The ids of a
// tick lie 1<<TailBits apart, as the ring's spans do. The tenure changes only
// inside the padder's critical section, so Grant and Put see the same.
type mint struct {
	*core
	ring *ringbuffer.Ring
	ids  int64 // of a tick
	low  int   // slots: the ring is low when fewer are left
	last int64 // highest tick of which an id was put; math.MinInt64: none
}

func (m *mint) Grant() padding.Grant {
	t := m.tenure.Load()
	lo, hi, why, final := m.granted(t)
	return padding.Grant{Lo: lo, Hi: hi, Why: why, Final: final, Punctual: t.punctual}
}

func (m *mint) Want(tick int64) { m.tenure.Load().Want(tick) }

func (m *mint) Put(tick, from int64) (put int64) {
	l := m.c.Layout
	first := int64(l.compose(Parts{Tick: tick - m.firstTick, Worker: m.tenure.Load().WorkerID(), Turn: m.c.Turn, Seq: m.c.MinSeq}))
	for from+put < m.ids {
		n := min(m.ids-from-put, int64(m.ring.Span()))
		if !m.ring.Put(first+(from+put)<<l.TailBits, int(n)) {
			break
		}
		put += n
	}
	if put > 0 {
		m.last = tick
	}
	return put
}

func (m *mint) Drop(before int64) int64 {
	switch {
	case before <= m.firstTick:
		return 0
	case before > m.lastTick:
		return m.ring.Drop(math.MaxInt64)
	}
	return m.ring.Drop((before - m.firstTick) << m.c.Layout.timeShift())
}

func (m *mint) Oldest() (int64, bool) {
	id, ok := m.ring.Front()
	return m.firstTick + id>>m.c.Layout.timeShift(), ok
}

func (m *mint) Full() bool { return m.ring.Full() }
func (m *mint) Arm() bool  { return m.ring.Arm(m.low) }
