// Package migrate determines whether ids of two layouts can be equal, if one is used until a
// time and the other from then on.
package migrate

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Options narrow down which ids were and will be made. With zero fields a
// Migration may find equal ids where there are none; it never misses any.
type Options struct {
	// Ahead is how far beyond the migration the old ids reach, because they were borrowed from the
	// future (Stats.Ahead), and because clocks differ.
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
	From, To uid.Layout
	At       time.Time
	Options  Options

	// Safe reports whether no id of one layout can equal an id of the other.
	Safe bool

	// OldMayGoOn reports whether that is so even if the old layout is used for good.
	OldMayGoOn bool

	// First is the smallest id that both layouts can make. Since and Until bound the time in which
	// the new layout makes such ids: none before Since, none from Until on. All are zero when
	// Safe.
	First        uid.ID
	Since, Until time.Time
}

// Check reports whether the ids that layout from made until a time can equal those that layout
// to makes from then on. It compares all ids of both, exactly, with two exceptions. It leaves
// out ids that a generator made after the end of from because it did not check: they are
// negative for as long again as the layout lasted. It also leaves out those of clocks that were
// set back to before at: for these, choose an earlier at.
//
// The layouts must be valid, and the worker ids must fit them. The error wraps uid.ErrTimeOver
// if layout to has ended at that time.
func Check(from, to uid.Layout, at time.Time, o Options) (Migration, error) {
	m := Migration{From: from, To: to, At: at.UTC(), Options: o}
	if !m.At.Before(m.To.End()) {
		return Migration{}, fmt.Errorf(
			"%w: the new layout %v ended at %s: choose another, or an earlier time",
			uid.ErrTimeOver, m.To, m.To.End().Format(time.RFC3339Nano))
	}
	old := idSet{
		layout: from,
		// an id made at At is a new one
		lastTick:   min(tickNear(from, m.At.Add(o.Ahead-1)), mask(from.TimeBits)),
		lastWorker: cmp.Or(o.LastWorker, from.MaxWorker()),
	}
	all := idSet{
		layout:    to,
		firstTick: max(tickNear(to, m.At), 0), lastTick: mask(to.TimeBits),
		firstWorker: o.FirstWorker, lastWorker: to.MaxWorker(),
	}
	var equal bool
	if m.First, equal = overlap(old, all); !equal {
		old.lastTick = mask(from.TimeBits)
		_, later := overlap(old, all)
		m.Safe, m.OldMayGoOn = true, !later
		return m, nil
	}
	first, last := equalTicks(old, all)
	m.Since, m.Until = start(to, first), start(to, last).Add(to.Unit)
	return m, nil
}

// Works returns flags with which no ids are equal: an epoch that is some days earlier, if the new
// layout then lasts for another year, and the middle of the worker ids to keep them apart.
func (m Migration) Works() (all []string) {
	const day = 24 * time.Hour
	epoch, o := m.To.Epoch, &m.Options
	safe := func(days int64) bool {
		m.To.Epoch = epoch.Add(-time.Duration(days) * day)
		again, err := Check(m.From, m.To, m.At, *o)
		return err == nil && again.Safe
	}
	if most := int64(m.To.End().Sub(m.At)/day) - 366; most > 0 && safe(firstThat(most, safe)) {
		all = append(all, "--to-epoch "+m.To.Epoch.UTC().Format(time.RFC3339Nano))
	}
	o.LastWorker = cmp.Or(o.LastWorker, min(m.From.MaxWorker(), m.To.MaxWorker())/2)
	o.FirstWorker = o.LastWorker + 1
	if o.FirstWorker <= m.To.MaxWorker() && safe(0) {
		all = append(all, fmt.Sprint("--old-workers ", o.LastWorker, " --new-workers ", o.FirstWorker))
	}
	return all
}

// equalTicks returns the first and the last tick of the set all in which there are ids of the
// set old. There must be some.
func equalTicks(old, all idSet) (first, last int64) {
	equal := func(first, last int64) bool {
		ids := all
		ids.firstTick, ids.lastTick = first, last
		_, any := overlap(old, ids)
		return any
	}
	ticks := all.lastTick - all.firstTick
	first = all.firstTick + firstThat(ticks,
		func(n int64) bool { return equal(all.firstTick, all.firstTick+n) })
	last = all.lastTick - firstThat(ticks,
		func(n int64) bool { return equal(all.lastTick-n, all.lastTick) })
	return first, last
}

// firstThat returns the least number from 0 to n for which is holds. It must hold for n, and
// for all numbers above the least one.
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

// tickNear returns the tick that holds t, -1 if t is before the first tick, and MaxInt64 if it
// is after the last one.
func tickNear(l uid.Layout, t time.Time) int64 {
	if t.Before(start(l, 0)) {
		return -1
	}
	l.Order = uid.TimeWorkerSequence // an order in which the ids of a tick have a least one
	id, err := l.MinID(t)
	if err != nil {
		return math.MaxInt64
	}
	p, _ := l.Parse(id) // cannot fail: id is of l
	return p.Tick
}

// start returns the first instant of a tick that is known to fit.
func start(l uid.Layout, tick int64) time.Time {
	id, _ := l.Compose(uid.Parts{Tick: tick})
	p, _ := l.Parse(id)
	return p.Time
}
