package uid

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/ringbuffer"
)

// mint makes the ids of takes, and those that the ring holds. The padder drives it. The mint
// changes only in the padder's critical section, and only there is another lease put in force.
//
// The ids of a tick lie one step apart, as those of the ring's spans do.
//
//	every tick in the ring <= minted, and each tick is minted at most once
type mint struct {
	ring ringbuffer.Ring
	*source
	ringShape
	padder    padding.Padder
	queue     queue
	present                 // ids that takes make
	dropAfter time.Duration // ids are old when their tick ended this long ago
	minted    atomic.Int64  // highest tick ever minted, whole or in part; math.MinInt64: none

	now      time.Time // what the clock showed when it was read last
	leftover leftover  // ids of ticks up to minted that are not put yet, nor taken by then
	asks     bool      // RejectPut is still to be asked about the leftover
	oldest   int64     // ids of all earlier ticks are dropped from ring and streams; or allDropped
	pause    *pause    // what kept the last attempt to mint from doing so; nil: nothing
	filling  bool      // a take or the schedule asked for more, and the ring is not full yet
	logged   logState

	// For Stats.
	put, dropped, refills, rejectedPuts, discarded int64
}

// leftover is the ids that are minted and still to be put: n of them, beginning with id number from
// of a tick. What does not fit into the ring is kept and put next time, unless RejectPut says
// otherwise; Baidu's generator drops it, which loses a fifth of all ids at low load.
type leftover struct{ tick, from, n int64 }

// pause is why nothing may be minted now.
type pause struct {
	err   error
	until time.Time // when it may pass by itself; zero: when the padder is woken
	ahead bool      // MaxAhead holds the padder back, or a lease that may not borrow
	news  string    // what the log says is waited for; "": no line
	since time.Time // when minting paused
	final bool      // nothing may ever be minted again
}

// logState is what has been logged about minting.
type logState struct {
	shown      int64         // highest tick that the clock has shown
	back       time.Duration // how far it was set back since, and has not caught up
	paused     bool          // logged that minting is paused, and not yet that it resumed
	pausedAt   time.Time     // when that was logged last
	farAhead   bool          // logged that ids are far ahead, and not yet that the clock has caught up
	backLogged bool          // logged then how far it was set back, too
}

// begin starts the padder.
func (m *mint) begin(s *source, shape ringShape) {
	m.source, m.ringShape, m.oldest = s, shape, allDropped
	m.logged.shown = math.MinInt64
	m.minted.Store(math.MinInt64)
	// Half of MaxLag, so that the bound is kept even by a padder that is late. If a tick is longer
	// than that it is zero: at worst there are newer ids only once in a tick.
	if s.layout.Unit <= s.conf.MaxLag/2 {
		m.dropAfter = s.conf.MaxLag / 2
	}
	err := m.ring.Init(int(shape.slots), int(shape.perSlot), s.fields.seq.shift, s.fields.counted)
	if err != nil {
		panic("uid: " + err.Error()) // no setting makes such a shape
	}
	m.queue.begin()
	m.pays = s.conf.MaxLag < 0
	m.cur.Store(m.newTerm(m.held.Load()))
	m.padder.Start(s.life, m, s.conf.ScheduleInterval)
}

// used returns how many slots hold ids.
func (m *mint) used() int {
	_, _, slots := m.ring.Front()
	return slots
}

// lowWater returns the number of slots below which the ring is refilled. It stands for a number
// of ids, as Baidu's threshold does: with fewer slots, there may be fewer ids than
// PaddingFactor's percentage of the ring; otherwise there are not, though one slot is in use.
func (m *mint) lowWater() int {
	threshold := m.size() * int64(m.conf.PaddingFactor) / 100
	return int(min((threshold+m.perSlot-1)/m.perSlot+1, m.slots))
}

// allDropped is mint.oldest when there is nothing to drop.
const allDropped = math.MaxInt64

// tickOf returns the tick of a number, as the ring counts.
func (m *mint) tickOf(counted int64) int64 { return m.firstTick + m.fields.time.of(ID(counted)) }

// before returns the first tick that did not end this long ago.
func (m *mint) before(ago time.Duration) int64 {
	if m.conf.MaxLag < 0 {
		return math.MinInt64
	}
	return m.layout.unixTick(m.now.Add(-ago))
}

const minting = "panic or Goexit while making ids; trying again"

// rescue, which is deferred, keeps a panic in the user's code from ending more than that code.
func (m *mint) rescue(what string) {
	if v := recover(); v != nil {
		m.panicked(what, v)
	}
}

// change also forgets the leftover: the lease may no longer grant it.
func (m *mint) change(drop bool, do func()) (last int64) {
	defer m.padder.Wake()
	m.padder.Do(func() {
		m.stop()                              // first: do calls code that is not ours
		m.leftover, m.pause = leftover{}, nil // for the same reason
		last = m.minted.Load()
		do()
		m.cur.Store(m.newTerm(m.held.Load()))
		if drop {
			m.dropped += m.ring.Drop(math.MaxInt64)
		}
	})
	return last
}

func (m *mint) grantChanged() { m.grants.Send(); m.padder.Wake() }
