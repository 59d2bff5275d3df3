package migrate

import (
	"time"

	"github.com/ringuid/ringuid/uid"
)

// safe reports whether c makes the migration safe.
func (m *Migration) safe(c Change) bool {
	_, _, equal := m.equalIDs(c.To, c.FirstWorker)
	return !equal
}

// epoch is the latest epoch with which every new id is greater than every old
// one.
func (m *Migration) epoch() (Change, bool) {
	c := Change{Kind: "epoch", To: m.To, FirstWorker: m.Options.FirstWorker}
	old := m.oldIDs()
	greatest := compose(m.From, uid.Parts{
		Tick: old.lastTick, Worker: old.lastWorker,
		Turn: mask(m.From.TurnBits), Seq: mask(m.From.SeqBits),
	})

	// The tick that At must be, so that even its smallest id is greater.
	tick := int64(0)
	if least := compose(m.To, uid.Parts{Worker: c.FirstWorker}); least <= greatest {
		tick = int64(greatest-least)>>fieldsOf(m.To).time.shift + 1
	}
	unit, at := m.To.Unit.Milliseconds(), m.At.UnixMilli()
	if tick < 0 || tick > maxTick(m.To) || tick > (at-year0)/unit {
		return c, false
	}
	c.To.Epoch = time.UnixMilli(at - ((at%unit)+unit)%unit - tick*unit).UTC()
	return c, c.To.Validate() == nil && m.safe(c)
}

// year0 is before all epochs that a layout may have, in Unix milliseconds.
var year0 = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()

// tail gives the new ids another lowest bit than the old ones have. When only the
// old layout has tail bits, the new one's comes out of its sequence.
func (m *Migration) tail() (Change, bool) {
	c := Change{Kind: "tail", To: m.To, FirstWorker: m.Options.FirstWorker}
	switch {
	case m.From.TailBits == 0:
		return c, false
	case m.To.TailBits > 0:
		c.To.Tail ^= 1
	case m.To.SeqBits > 0:
		c.To.SeqBits, c.To.TailBits, c.To.Tail = m.To.SeqBits-1, 1, m.From.Tail&1^1
	default:
		return c, false
	}
	return c, m.safe(c)
}

// workers is the lowest first worker id with which nothing is equal. The higher
// it is, the fewer new ids there are: so it is found by bisection.
func (m *Migration) workers() (Change, bool) {
	c := Change{Kind: "workers", To: m.To, FirstWorker: m.To.MaxWorker()}
	if !m.safe(c) {
		return c, false
	}
	first := m.Options.FirstWorker
	c.FirstWorker = first + firstThat(c.FirstWorker-first, func(n int64) bool {
		return m.safe(Change{Kind: c.Kind, To: c.To, FirstWorker: first + n})
	})
	return c, true
}
