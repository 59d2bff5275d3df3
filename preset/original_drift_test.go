package preset

import (
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Models of the originals that go on when the clock was set back.

// yitterModel is the method 1 of Yitter's IdGenerator: it drifts into the future when
// a tick is full, and gives one id in each tick of the past, with a reserved
// sequence number, when the clock was set back.
type yitterModel struct {
	seen              map[int64]bool
	clock             *scriptClock
	worker            int64
	workBits, seqBits int   // 6, 6
	minSeq, maxSeq    int64 // 5, 63
	top               int   // ticks of a drift, 2000

	last, seq int64 // the tick, and the next number in it

	drifting bool
	drifted  int // ticks of this drift

	backTick int64 // of the next id in the past; 0: the clock is right
	backNo   int64 // 1 to 4
}

// wrong: a fifth overlapping step back repeats the ids of the first.
func (m *yitterModel) wrong(id int64) bool {
	if m.seen == nil {
		m.seen = map[int64]bool{}
	}
	wrong := m.seen[id]
	m.seen[id] = true
	return wrong
}

func (m *yitterModel) next() (int64, error) {
	if m.drifting {
		return m.drift(), nil
	}
	return m.normal(), nil
}

func (m *yitterModel) id(tick, seq int64) int64 {
	return tick<<(m.workBits+m.seqBits) + m.worker<<m.seqBits + seq
}

func (m *yitterModel) emit() int64 {
	m.seq++
	return m.id(m.last, m.seq-1)
}

func (m *yitterModel) normal() int64 {
	now := m.clock.tick()
	if now < m.last {
		return m.past()
	}
	m.backTick = 0
	switch {
	case now > m.last:
		m.last, m.seq = now, m.minSeq
	case m.seq > m.maxSeq:
		m.last, m.seq = m.last+1, m.minSeq
		m.drifting, m.drifted = true, 1
	}
	return m.emit()
}

func (m *yitterModel) past() int64 {
	if m.backTick < 1 {
		m.backTick = m.last - 1
		m.backNo = m.backNo%4 + 1
	}
	m.backTick--
	return m.id(m.backTick+1, m.backNo)
}

func (m *yitterModel) drift() int64 {
	now := m.clock.tick()
	if now <= m.last && m.drifted >= m.top {
		now = m.clock.spin(m.last)
	}
	switch {
	case now > m.last:
		m.last, m.seq = now, m.minSeq
		m.drifting = false
	case m.seq > m.maxSeq:
		m.last, m.seq = m.last+1, m.minSeq
		m.drifted++
	}
	return m.emit()
}

func openYitter(top int) opener {
	return func(s scenario, clock *scriptClock, _ []taken) original {
		l := s.config.Layout
		return &yitterModel{
			clock: clock, worker: s.worker, workBits: l.WorkerBits, seqBits: l.SeqBits,
			minSeq: 5, maxSeq: 1<<l.SeqBits - 1, seq: 5, top: top,
		}
	}
}

// raindropModel is its NewId. A step back flips a bit of the ids and goes on at the
// clock's time; a full tick is waited out, and of minutes and longer an error.
// Its clock is one that a ticker copies, which lags behind; here it does not.
type raindropModel struct {
	highest                  [2]int64 // of the ids with either bit, plus one
	clock                    *scriptClock
	workerBits, seqBits, end int // end bits: those of the constant at the end
	endValue                 int64
	worker                   int64
	fails                    bool // when a tick is full: minutes and longer

	last, seq, bit int64
}

// wrong: a second step back comes back to ids with the same bit, and repeats
// those that were given.
func (m *raindropModel) wrong(id int64) bool {
	bit := id >> (m.end + m.seqBits) & 1
	wrong := id < m.highest[bit]
	m.highest[bit] = max(m.highest[bit], id+1)
	return wrong
}

func (m *raindropModel) next() (int64, error) {
	now := m.clock.tick()
	switch {
	case now < m.last:
		m.bit = 1 - m.bit
		m.seq = 0
	case now > m.last:
		m.seq = 0
	case m.seq < 1<<m.seqBits-1:
		m.seq++
	case m.fails:
		return 0, uid.ErrTickFull
	default:
		now = m.clock.spin(m.last)
		m.seq = 0
	}
	m.last = now
	id := now<<m.workerBits | m.worker
	id = id<<1 | m.bit
	id = id<<m.seqBits | m.seq
	return id<<m.end | m.endValue, nil
}

func openRaindrop(s scenario, clock *scriptClock, _ []taken) original {
	l := s.config.Layout
	return &raindropModel{
		clock: clock, workerBits: l.WorkerBits, seqBits: l.SeqBits, end: l.TailBits, endValue: l.Tail,
		worker: s.worker, fails: l.Unit >= time.Minute, bit: s.config.Turn,
	}
}

// tsidModel is tsid-creator since 5.2.1, with a random function that gives 0: while the clock
// shows the last millisecond or one before it, it counts on from there, and carries into
// the next.
type tsidModel struct {
	growing
	clock       *scriptClock
	node        int64
	seqBits     int // 12
	ms, counter int64
}

func (m *tsidModel) next() (int64, error) {
	now := m.clock.tick()
	switch m.counter++; {
	case now > m.ms:
		m.ms, m.counter = now, 0
	case m.counter == 1<<m.seqBits:
		m.ms, m.counter = m.ms+1, 0
	}
	return m.ms<<(10+m.seqBits) | m.node<<m.seqBits | m.counter, nil
}

func openTSID(s scenario, clock *scriptClock, _ []taken) original {
	return &tsidModel{clock: clock, node: s.worker, seqBits: s.config.Layout.SeqBits, ms: -1}
}
