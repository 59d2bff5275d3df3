package uid

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/policy"
)

// mint makes the ids that the ring holds. The padder drives it. The mint changes only
// in the padder's critical section, and only there is another lease put in force.
//
// The ids of a tick lie one step apart, as those of the ring's spans do.
//
//	every tick in the ring <= minted, and each tick is minted at most once
type mint struct {
	*CachedGenerator
	ringShape
	ids    int64         // of a tick
	ripe   time.Duration // ids are old when their tick ended this long ago
	minted atomic.Int64  // highest tick ever minted, whole or in part; math.MinInt64: none

	now     time.Time // what the clock showed when it was read last
	rest    rest      // ids of ticks up to minted that are not put yet
	asks    bool      // RejectPut is still to be asked about the rest
	kept    int64     // ids of all earlier ticks are dropped from ring and streams; or allDropped
	pause   *pause    // what kept the last attempt to mint from doing so; nil: nothing
	filling bool      // a take or the schedule asked for more, and the ring is not full yet
	told    told

	// For Stats.
	put, dropped, refills, rejectedPuts, discarded int64
}

// rest is the ids that are minted and still to be put: n of them, beginning with id number from
// of a tick. What does not fit into the ring is kept and put next time, unless RejectPut says
// otherwise; Baidu's generator drops it, which loses a fifth of all ids at low load.
type rest struct{ tick, from, n int64 }

func newMint(g *CachedGenerator, shape ringShape) *mint {
	m := &mint{CachedGenerator: g, ringShape: shape, ids: g.c.tickIDs(), kept: allDropped,
		told: told{shown: math.MinInt64}}
	m.minted.Store(math.MinInt64)
	// Half of MaxLag, so that the bound is kept even by a padder that is late. If a tick is longer
	// than that it is zero: at worst there are newer ids only once in a tick.
	if g.c.Layout.Unit <= g.c.MaxLag/2 {
		m.ripe = g.c.MaxLag / 2
	}
	return m
}

// used returns how many slots hold ids.
func (m *mint) used() int {
	_, _, slots := m.ring.Front()
	return slots
}

// lowWater returns the number of slots below which the ring is refilled. It stands for a number
// of ids, as Baidu's threshold does: with fewer slots, there may be fewer ids than
// PaddingFactor's percentage of the ring; otherwise there are not.
func (m *mint) lowWater() int {
	threshold := m.size() * int64(m.c.PaddingFactor) / 100
	slots := threshold / m.ids * m.slotsOf(m.ids)
	if rest := threshold % m.ids; rest > 0 {
		// One of these slots may be the last of its tick.
		short := m.slotsOf(m.ids)*m.perSlot - m.ids
		slots += m.slotsOf(rest + short)
	}
	return int(min(slots+1, m.slots))
}

// burst is how many ticks are put under one lock and with one reading of the clock.
const burst = 64

// Refill drops old ids. Then, if the ring is to be filled, it mints and puts until the ring is
// full or nothing may be minted.
func (m *mint) Refill(r padding.Request) (put int64, more bool) {
	m.now = m.c.Now()
	m.look()
	m.expire()
	if m.ending() == 0 {
		r = padding.Always
	}
	used := m.used()
	if r == padding.IfLow && used < m.lowWater() || r == padding.Always && used < int(m.slots) {
		m.filling = true
	}
	if m.filling {
		put, more = m.fill()
	}
	if put > 0 {
		m.line.progress.Store(int64(m.mono()))
		m.refills++
	}
	return put, more
}

// fill mints and puts until the ring is full.
func (m *mint) fill() (put int64, more bool) {
	for range burst {
		if m.used() == int(m.slots) {
			m.filled()
			return put, false
		}
		if !m.supply() && m.rest.n == 0 {
			return put, false
		}
		put += m.putRest()
	}
	return put, true
}

// filled ends a refill. If there is a RejectPut to ask, it mints a tick for the full ring to
// reject: Baidu's refill ends only when a put was rejected.
func (m *mint) filled() {
	m.asks = m.c.RejectPut != nil && (m.rest.n > 0 || m.supply())
	if m.rest.n > 0 {
		m.rejectedPuts++
	}
	m.filling = false
}

// supply makes sure that there are ids to put which are not old: what is left of the rest,
// or a new tick. It returns false when there are none; the pause says why.
func (m *mint) supply() bool {
	if m.rest.n > 0 && m.rest.tick >= m.before(m.ripe) {
		return true
	}
	tick, pause := m.next()
	m.setPause(pause)
	if pause != nil {
		return false
	}
	m.minted.Store(tick)
	m.rest = rest{tick: tick, n: m.ids}
	return true
}

// putRest puts as much of the rest as fits.
func (m *mint) putRest() (put int64) {
	r := &m.rest
	first := int64(m.fields.compose(Parts{Tick: r.tick - m.firstTick,
		Worker: m.held.Load().WorkerID(), Turn: m.c.Turn, Seq: m.c.MinSeq}))
	for put < r.n {
		span := min(r.n-put, m.perSlot)
		if !m.ring.Put(first+(r.from+put)*m.fields.step(), int(span)) {
			break
		}
		put += span
	}
	if m.c.MaxLag >= 0 {
		m.kept = min(m.kept, r.tick)
	}
	m.put += put
	m.rest = rest{r.tick, r.from + put, r.n - put}
	return put
}

// Refilled lets RejectPut decide about what the last refill could not put, unless that has been
// put, or is old, by the time it answers. It is called outside of the critical section.
func (m *mint) Refilled() {
	var about rest
	m.padder.Do(func() {
		if m.asks {
			about, m.asks = m.rest, false
		}
	})
	if about.n == 0 || !m.discards(about) {
		return
	}
	m.padder.Do(func() {
		if m.rest == about {
			m.discarded += about.n
			m.rest = rest{}
		}
	})
}

// discards returns what RejectPut says; false when it panics.
func (m *mint) discards(r rest) bool {
	defer m.rescue("panic in the reject-put handler; the rest of the tick is kept")
	return m.c.RejectPut(policy.Rejected{Left: r.n, Tick: m.c.Layout.tickStart(r.tick)})
}

// Panicked logs the panic of a lease, or that the user's code ended the padder's goroutine.
func (m *mint) Panicked(v any) { m.panicked(minting, v) }

const minting = "panic or Goexit while making ids; trying again"

// rescue, which is deferred, keeps a panic in the user's code from ending more than that code.
func (g *CachedGenerator) rescue(what string) {
	if v := recover(); v != nil {
		g.panicked(what, v)
	}
}

func (g *CachedGenerator) panicked(what string, v any) {
	g.faults.Add(1)
	g.c.Logger.Error(what, "panic", v)
}
