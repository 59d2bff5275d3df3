package uid

import (
	"fmt"
	"math"
	"time"
)

// MigrateOptions narrow down which ids were and will be made. With zero fields a
// Migration may find equal ids where there are none; it never misses any.
type MigrateOptions struct {
	// Began is when the first id of the old layout was made. Zero: at its epoch.
	Began time.Time

	// Ahead is how far beyond the migration the old ids reach: what was borrowed
	// from the future (Stats.Ahead), and by how much clocks differ.
	Ahead time.Duration

	// LastWorker is the highest worker id that the old layout was used with, such
	// as the highest ID in WORKER_NODE. Zero: any that it holds.
	LastWorker int64

	// FirstWorker is the lowest worker id that the new layout is used with.
	FirstWorker int64
}

// Migration says whether two layouts, the old one until a time and the new one
// from then on, can make equal ids.
type Migration struct {
	From, To Layout
	At       time.Time
	Options  MigrateOptions

	// Safe: no id of one can equal an id of the other.
	Safe bool

	// First and Last are the smallest and the greatest id that both can make, and
	// Since and Until the time in which the new layout makes such ids: none
	// before Since, none from Until on. Zero when Safe.
	First, Last  ID
	Since, Until time.Time

	// Changes of the new side of which each by itself makes it safe. Empty when
	// Safe, and when no single change does.
	Changes []Change

	// Wraps is set when the old layout ended before At and fills 63 bits, as
	// Baidu's did on 2024-11-20: generators that do not look, such as Baidu's
	// CachedUidGenerator, then go on with negative ids, which none of ours
	// equals, and at Wraps begin again with the ids of the epoch.
	Wraps time.Time
}

// Change is one way to make a migration safe.
type Change struct {
	// Kind is "epoch": an earlier one, so that all new ids are greater than all
	// old ones; "tail": tail bits that differ; or "workers": worker ids from
	// FirstWorker on, which a WORKER_NODE table that both share gives by itself.
	Kind string

	To          Layout
	FirstWorker int64
}

// Migrate tells whether the ids that layout from made until a time can equal those that
// layout to makes from then on, and what would help. It compares all ids of both,
// exactly. It leaves out ids that a generator made after the end of from because it did
// not check (see Wraps), and those of clocks that were set back to before at: for these,
// choose an earlier at.
//
// Errors wrap ErrLayout; ErrTimeOver when to has ended at that time; ErrRange for
// worker ids that a layout does not hold; ErrConfig for other options.
func Migrate(from, to Layout, at time.Time, o MigrateOptions) (Migration, error) {
	m := Migration{From: from, To: to, At: at.UTC(), Options: o}
	if err := m.validate(); err != nil {
		return Migration{}, err
	}
	if end, old := from.End(), from.fields(); old.bits == idBits && old.byTime() && !at.Before(end) {
		m.Wraps = from.addTicks(end, from.maxTick()).Add(from.Unit)
	}
	var equal bool
	if m.First, m.Last, equal = m.equalIDs(to, o.FirstWorker); !equal {
		m.Safe = true
		return m, nil
	}
	first, last := m.equalTicks()
	m.Since, m.Until = to.start(first), to.start(last).Add(to.Unit)
	for _, change := range []func() (Change, bool){m.epoch, m.tail, m.workers} {
		if c, ok := change(); ok {
			m.Changes = append(m.Changes, c)
		}
	}
	return m, nil
}

func (m *Migration) validate() error {
	o := m.Options
	for _, l := range []Layout{m.From, m.To} {
		if err := l.Validate(); err != nil {
			return fmt.Errorf("migrating between %v and %v: %w", m.From, m.To, err)
		}
	}
	switch {
	case !m.At.Before(m.To.End()):
		return fmt.Errorf("%w: the new layout %v ended at %s: choose another, or an earlier time", ErrTimeOver, m.To, timeString(m.To.End()))
	case o.Ahead < 0:
		return fmt.Errorf("%w: Ahead is %v: set it to 0 or more", ErrConfig, o.Ahead)
	case o.Began.After(m.At):
		return fmt.Errorf("%w: Began is %s, after the migration: set it to when the first old id was made", ErrConfig, timeString(o.Began))
	case !fits(o.LastWorker, m.From.WorkerBits):
		return fmt.Errorf("LastWorker: %w", rangeError("worker", o.LastWorker, m.From.WorkerBits))
	case !fits(o.FirstWorker, m.To.WorkerBits):
		return fmt.Errorf("FirstWorker: %w", rangeError("worker", o.FirstWorker, m.To.WorkerBits))
	}
	return nil
}

// equalIDs returns the smallest and the greatest id that From makes until At, and
// that to makes from At on with worker ids from first on.
func (m *Migration) equalIDs(to Layout, first int64) (smallest, greatest ID, any bool) {
	return overlap(m.oldIDs(), m.newIDs(to, first))
}

// newIDs are what to makes from At on with worker ids from first on.
func (m *Migration) newIDs(to Layout, first int64) idSet {
	return idSet{
		layout:      to,
		firstTick:   max(to.tickNear(m.At), 0),
		lastTick:    to.maxTick(),
		firstWorker: first,
		lastWorker:  to.MaxWorker(),
	}
}

// equalTicks returns the first and the last tick of the new layout in which it makes ids
// that the old one made. There are some.
func (m *Migration) equalTicks() (first, last int64) {
	old, all := m.oldIDs(), m.newIDs(m.To, m.Options.FirstWorker)
	equal := func(first, last int64) bool {
		ids := all
		ids.firstTick, ids.lastTick = first, last
		_, _, any := overlap(old, ids)
		return any
	}
	ticks := all.lastTick - all.firstTick
	first = all.firstTick + firstThat(ticks, func(n int64) bool { return equal(all.firstTick, all.firstTick+n) })
	last = all.lastTick - firstThat(ticks, func(n int64) bool { return equal(all.lastTick-n, all.lastTick) })
	return first, last
}

// firstThat is the least number from 0 to n of which is holds; it holds of n and of all
// above the first.
func firstThat(n int64, is func(int64) bool) int64 {
	low := int64(0)
	for low < n {
		middle := low + (n-low)/2
		if is(middle) {
			n = middle
		} else {
			low = middle + 1
		}
	}
	return n
}

func (m *Migration) oldIDs() idSet {
	l, o := m.From, m.Options
	old := idSet{
		layout:     l,
		lastTick:   min(l.tickNear(m.At.Add(o.Ahead-1)), l.maxTick()), // an id that is made at At is a new one
		lastWorker: l.MaxWorker(),
	}
	if !o.Began.IsZero() {
		old.firstTick = max(l.tickNear(o.Began), 0)
	}
	if o.LastWorker > 0 {
		old.lastWorker = o.LastWorker
	}
	return old
}

// tickNear is the tick that holds t, -1 when that is before the first, and
// MaxInt64 when it is after the last.
func (l Layout) tickNear(t time.Time) int64 {
	epoch, now := l.epochTick(), l.unixTick(t)
	if now < epoch {
		return -1
	}
	if tick := uint64(now) - uint64(epoch); tick <= uint64(l.maxTick()) { // 64 bits, as in tickOf
		return int64(tick)
	}
	return math.MaxInt64
}
