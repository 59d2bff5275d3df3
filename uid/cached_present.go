package uid

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/padding"
)

// A take that finds the ring empty makes its id itself, of the present tick, as a take of a
// default generator does: it claims it from a segment (see term), which has what is left of the
// leftover. So ids are as young as they can be, and no padder needs a CPU for them. The ring is
// for bursts: it is filled while takes come so fast that a fetch-and-add is worth it.
//
// A segment is opened and closed in the padder's critical section. Only there is anything put,
// and a segment is closed before:
//
//	a segment runs  =>  the ring is empty, and was since the segment was opened
//	what was put before a segment was opened < its ids < what is put after it was closed
//
// So the ids that one goroutine takes increase, from wherever they are. A stream holds nothing that
// was not put, or a flush would not reach it.
type present struct {
	cur atomic.Pointer[term] // of the lease in force

	batched atomic.Int64 // ids of segments that went to batches, without the first of each
	waiting atomic.Int64 // takes that are in the critical section, or wait for it

	pays        bool  // the ring is filled for takes
	millisecond int64 // in which the last take made its id, by the monotonic clock
	takes       int64 // that made theirs in it
	busy        int   // how many milliseconds before it, without a gap, had a burst
}

const (
	burst      = 256 // more takes than this in a millisecond,
	burstLasts = 8   // and in as many in a row: the ring pays
)

// claim takes up to limit ids of the segment.
func (m *mint) claim(limit int) (first ID, n int, ok bool) {
	now, cur := m.mono(), m.cur.Load()
	v, n, ok := cur.claimUpTo(now, limit)
	if n > 1 {
		m.batched.Add(int64(n - 1))
	}
	return cur.id(v), n, ok
}

// stop closes the segment, if one runs. The leftover is then what it has left.
func (m *mint) stop() {
	n := m.cur.Load().close()
	m.use(n)
	m.takes += n - m.batched.Swap(0)
}

// make returns up to limit ids of the ring, if others have filled it or it pays to fill it, and
// otherwise up to made ids of the present tick, or why there are none. It is called in the
// critical section, and its caller has checked there that the generator is not closed: the worker
// id may have another holder then.
func (m *mint) make(limit, made int) (first ID, n int, why *pause) {
	if first, n, ok := m.trySpan(limit, made); ok {
		return first, n, nil
	}
	at := m.mono() // before the clock is read, so that a segment ends no later than its tick
	m.stop()
	m.count(at)
	if put, _ := m.Refill(padding.IfLow); put > 0 {
		m.padder.Wake() // to drop it when it is old
		if first, n, ok := m.trySpan(limit, made); ok {
			return first, n, nil
		}
		why = &pause{err: errRefilling, until: m.now} // others were faster
	}
	if m.conf.MaxLag < 0 { // as Baidu's: all ids come from the ring
		return 0, 0, cmp.Or(why, m.pause, &pause{err: errRefilling, until: m.now})
	}
	tick := m.layout.unixTick(m.now)
	if !m.supply(tick) && m.leftover.n == 0 {
		return 0, 0, m.pause
	}
	m.held.Load().Want(m.leftover.tick + 1) // first, as it is not ours
	first, n = m.firstLeft(), int(min(int64(made), m.leftover.n))
	m.use(int64(n))
	m.takes++
	m.asks = false
	m.queue.progress.Store(int64(at))
	if width := m.conf.maxSegment; m.leftover.n > 0 && width > 0 {
		until := (at/width + 1) * width
		if m.leftover.tick == tick {
			until = min(until, at+m.layout.tickStart(tick+1).Sub(m.now))
		}
		m.cur.Load().open(m.firstLeft(), m.leftover.n, until)
	}
	return first, n, nil
}

// count decides whether it pays to fill the ring, for a take at this time.
func (m *mint) count(at time.Duration) {
	if now := int64(at / time.Millisecond); now != m.millisecond {
		if m.busy++; m.takes <= burst || now != m.millisecond+1 {
			m.busy = 0
		}
		m.millisecond, m.takes = now, 0
	}
	m.pays = m.pays || m.busy >= burstLasts || m.waiting.Load() > burst
}

// blocked says what keeps a take from getting an id now; nil when nothing does.
func (m *mint) blocked() (why *pause) {
	m.stop()
	m.now = m.conf.Now()
	if _, ok, _ := m.ring.Front(); !ok && m.leftover.n == 0 {
		_, why = m.next()
	}
	return why
}
