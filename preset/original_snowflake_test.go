package preset

import "github.com/ringuid/ringuid/uid"

// Models of the originals that go back to Twitter's Snowflake. Their fields are
// what the originals keep from one id to the next, and no more.

// growing finds ids that are not above all before: with these algorithms only a
// fault gives one.
type growing struct{ highest int64 }

func (g *growing) wrong(id int64) bool {
	wrong := id < 0 || g.highest > 0 && id <= g.highest
	g.highest = max(g.highest, id)
	return wrong
}

// twitterModel is Twitter's Snowflake: a clock set back is refused and changes
// nothing, and a full millisecond is waited out. It does not look at the end of
// its time. Baidu's DefaultUidGenerator is the same in seconds, but does.
type twitterModel struct {
	growing
	clock               *scriptClock
	workerBits, seqBits int // 10, 12
	worker              int64
	last, seq           int64 // -1, 0
}

func (m *twitterModel) next() (int64, error) {
	now := m.clock.tick()
	if now < m.last {
		return 0, uid.ErrClockBack
	}
	if now == m.last {
		m.seq = (m.seq + 1) % (1 << m.seqBits)
		if m.seq == 0 {
			now = m.clock.spin(m.last)
		}
	} else {
		m.seq = 0
	}
	m.last = now
	return now<<(m.workerBits+m.seqBits) | m.worker<<m.seqBits | m.seq, nil
}

func openTwitter(s scenario, clock *scriptClock, _ []taken) original {
	l := s.config.Layout
	return &twitterModel{clock: clock, workerBits: l.WorkerBits, seqBits: l.SeqBits, worker: s.worker,
		last: -1}
}

// leafModel is Meituan's Leaf: ticks begin at random below 100, and a clock set back
// by at most five milliseconds is waited for. Leaf sleeps for twice the step, and this until
// the clock has caught up, as ours does.
type leafModel struct {
	growing
	clock     *scriptClock
	random    func() int64 // 0 to 99
	worker    int64
	last, seq int64 // -1, 0
	seqBits   int   // 12
}

func (m *leafModel) next() (int64, error) {
	now := m.clock.tick()
	if now < m.last {
		gap := m.last - now
		if gap > 5 {
			return 0, uid.ErrClockBack // its status -3
		}
		now = m.clock.spin(m.last - 1)
	}
	if now == m.last {
		m.seq = (m.seq + 1) & (1<<m.seqBits - 1)
		if m.seq == 0 {
			m.seq = m.random()
			now = m.clock.spin(m.last)
		}
	} else {
		m.seq = m.random()
	}
	m.last = now
	return now<<(10+m.seqBits) | m.worker<<m.seqBits | m.seq, nil
}

// openLeaf's random numbers are those that ours drew for the same tick.
func openLeaf(s scenario, clock *scriptClock, ours []taken) original {
	var drawn []int64
	last := int64(-1)
	for _, k := range ours {
		if p, err := s.config.Layout.Parse(k.id); k.err == nil && err == nil && p.Tick > last {
			drawn, last = append(drawn, p.Seq), p.Tick
		}
	}
	random := func() int64 {
		if len(drawn) == 0 || drawn[0] > 99 {
			return 0 // of ours there are fewer, or not such, and the comparison shows it
		}
		first := drawn[0]
		drawn = drawn[1:]
		return first
	}
	return &leafModel{clock: clock, random: random, worker: s.worker, last: -1,
		seqBits: s.config.Layout.SeqBits}
}

// sonyModel is Sonyflake: a clock set back is not looked at, ids go on in the last
// tick; and when one is full it takes the next and sleeps until that begins. The
// machine is below the sequence.
type sonyModel struct {
	growing
	clock                 *scriptClock
	machine               int64
	seqBits, machineBits  int // 8, 16
	elapsedTime, sequence int64
}

func (m *sonyModel) next() (int64, error) {
	maskSequence := int64(1)<<m.seqBits - 1
	current := m.clock.tick()
	if m.elapsedTime < current {
		m.elapsedTime = current
		m.sequence = 0
	} else {
		m.sequence = (m.sequence + 1) & maskSequence
		if m.sequence == 0 {
			m.elapsedTime++
			overtime := m.elapsedTime - current
			m.clock.sleep(overtime)
		}
	}
	return m.elapsedTime<<(m.seqBits+m.machineBits) | m.sequence<<m.machineBits | m.machine, nil
}

func openSony(s scenario, clock *scriptClock, _ []taken) original {
	l := s.config.Layout
	return &sonyModel{clock: clock, machine: s.worker, machineBits: l.WorkerBits, seqBits: l.SeqBits,
		sequence: 1<<l.SeqBits - 1}
}
