package main

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// A change is that of a layout, the old one until a time and the new one from then on. With zero
// in the last three fields it may find equal ids where there are none; it never misses any.
type change struct {
	from, to uid.Layout
	at       time.Time

	// ahead is how far beyond the change the old ids reach, because they were borrowed from the
	// future (Stats.Ahead), and because clocks differ.
	ahead time.Duration

	// lastWorker is the highest worker id that the old layout was used with, such
	// as the highest ID in WORKER_NODE. Zero: any that it holds.
	lastWorker int64

	firstWorker int64 // the lowest worker id that the new layout is used with
}

// A collision is of ids that both layouts can make.
type collision struct {
	first        uid.ID    // the smallest
	since, until time.Time // the new layout makes none before since, and none from until on
}

// check returns nil if no id of one layout can equal an id of the other, and whether that is so
// even if the old one is used for good. It compares all ids of both, exactly, with two
// exceptions. It leaves out ids that a generator made after the end of the old layout because it
// did not check: they are negative for as long again as the layout lasted. It also leaves out
// those of clocks that were set back to before the change: for these, choose an earlier time.
//
// The layouts must be valid, the worker ids must fit them, and the new one's time must not be over.
func (c change) check() (found *collision, mayGoOn bool) {
	old := idSet{
		layout: c.from,
		// an id made at the change is a new one
		lastTick:   min(tickNear(c.from, c.at.Add(c.ahead-1)), mask(c.from.TimeBits)),
		lastWorker: cmp.Or(c.lastWorker, c.from.MaxWorker()),
	}
	all := idSet{
		layout:    c.to,
		firstTick: max(tickNear(c.to, c.at), 0), lastTick: mask(c.to.TimeBits),
		firstWorker: c.firstWorker, lastWorker: c.to.MaxWorker(),
	}
	least, equal := overlap(old, all)
	if !equal {
		old.lastTick = mask(c.from.TimeBits)
		_, later := overlap(old, all)
		return nil, !later
	}
	first, last := equalTicks(old, all)
	return &collision{least, start(c.to, first), start(c.to, last).Add(c.to.Unit)}, false
}

// works returns flags with which no ids are equal: an epoch that is some days earlier, if the new
// layout then lasts for another year, and the middle of the worker ids to keep them apart.
func (c change) works() (all []string) {
	const day = 24 * time.Hour
	epoch := c.to.Epoch
	safe := func(days int64) bool {
		c.to.Epoch = epoch.Add(-time.Duration(days) * day)
		found, _ := c.check()
		return found == nil
	}
	if most := int64(c.to.End().Sub(c.at)/day) - 366; most > 0 && safe(firstThat(most, safe)) {
		all = append(all, "--to-epoch "+c.to.Epoch.UTC().Format(time.RFC3339Nano))
	}
	c.to.Epoch = epoch
	c.lastWorker = cmp.Or(c.lastWorker, min(c.from.MaxWorker(), c.to.MaxWorker())/2)
	c.firstWorker = c.lastWorker + 1
	if c.firstWorker <= c.to.MaxWorker() && safe(0) {
		all = append(all, fmt.Sprint("--old-workers ", c.lastWorker, " --new-workers ", c.firstWorker))
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
