package idlog

import (
	"math"
	"math/bits"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// A reading takes ids apart without the checks of uid.Layout.Parse and its times,
// which a billion ids need not have each: ticks are compared as numbers, and few
// become times.
type reading struct {
	layout   uid.Layout
	bits     int // of an id
	ticks    part
	workers  part
	tail     int64
	tailMask int64

	epoch int64 // the first millisecond of tick 0, in Unix milliseconds
	unit  int64 // milliseconds of a tick
}

func newReading(l uid.Layout) (r reading, err error) {
	zero, err := l.Compose(uid.Parts{})
	if err != nil {
		return r, err
	}
	first, err := l.Parse(zero)
	if err != nil {
		return r, err
	}
	r = reading{
		layout:   l,
		bits:     l.TimeBits + l.WorkerBits + l.TurnBits + l.SeqBits + l.TailBits,
		ticks:    partOf(l, zero, uid.Parts{Tick: 1}, math.MaxInt64>>(63-l.TimeBits)),
		workers:  partOf(l, zero, uid.Parts{Worker: 1}, l.MaxWorker()),
		tail:     l.Tail,
		tailMask: int64(1)<<l.TailBits - 1,
		epoch:    first.Time.UnixMilli(),
		unit:     l.Unit.Milliseconds(),
	}
	if r.ticks.shift+l.TimeBits == r.bits {
		r.ticks.mask = math.MaxInt64 // an id that is too long is of a time to come
	}
	return r, nil
}

// part is where a field of an id lies.
type part struct {
	shift int
	mask  int64
}

func (p part) of(id uid.ID) int64 { return int64(id) >> p.shift & p.mask }

// partOf finds a field by the id that has 1 there and zeros elsewhere; a field without
// bits has none.
func partOf(l uid.Layout, zero uid.ID, one uid.Parts, mask int64) part {
	id, err := l.Compose(one)
	if err != nil {
		return part{}
	}
	return part{bits.TrailingZeros64(uint64(id ^ zero)), mask}
}

// parse returns the tick and the worker id, or not ok for an id that the layout
// cannot have made.
func (r *reading) parse(id uid.ID) (tick, worker int64, ok bool) {
	v := int64(id)
	return r.ticks.of(id), r.workers.of(id), v>>r.bits == 0 && v&r.tailMask == r.tail
}

// farMillis is where times and spans end that are counted in milliseconds, so that
// two of them can be added: a hundred million years.
const farMillis = math.MaxInt64 / 4

// span is how long so many ticks are, in milliseconds.
func (r *reading) span(ticks int64) int64 {
	if ticks > farMillis/r.unit {
		return farMillis
	}
	return ticks * r.unit
}

// millis is the first millisecond of a tick, in Unix milliseconds.
func (r *reading) millis(tick int64) int64 { return r.epoch + r.span(tick) }

// time is the first instant of a tick.
func (r *reading) time(tick int64) time.Time {
	p, _ := r.layout.Parse(uid.ID(tick<<r.ticks.shift | r.tail)) // valid: the tick is from an id
	return p.Time
}

// newest is the last tick of which ids were made until now, by a clock that is right.
func (r *reading) newest(now time.Time) (tick int64) {
	if now.Before(r.time(0)) {
		return -1
	}
	sorted := r.layout
	sorted.Order = uid.TimeWorkerSequence // in which each time has a range of ids
	id, err := sorted.MaxID(now)
	if err != nil {
		return math.MaxInt64 // its time is over
	}
	p, _ := sorted.Parse(id)
	return p.Tick
}
