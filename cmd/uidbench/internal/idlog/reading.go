package idlog

import (
	"math"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// A reading takes ids apart without the checks of uid.Layout.Parse and its times,
// which a billion ids need not have each: ticks are compared as numbers, and few
// become times.
type reading struct {
	layout      uid.Layout
	bits        int // of an id
	timeShift   int
	workerShift int
	workerMask  int64
	tail        int64
	tailMask    int64

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
	shift := l.TailBits + l.SeqBits + l.TurnBits
	return reading{
		layout:      l,
		bits:        shift + l.WorkerBits + l.TimeBits,
		timeShift:   shift + l.WorkerBits,
		workerShift: shift,
		workerMask:  l.MaxWorker(),
		tail:        l.Tail,
		tailMask:    int64(1)<<l.TailBits - 1,
		epoch:       first.Time.UnixMilli(),
		unit:        l.Unit.Milliseconds(),
	}, nil
}

// parse returns the tick and the worker id, or not ok for an id that the layout
// cannot have made.
func (r *reading) parse(id uid.ID) (tick, worker int64, ok bool) {
	v := int64(id)
	return v >> r.timeShift, v >> r.workerShift & r.workerMask, v>>r.bits == 0 && v&r.tailMask == r.tail
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
	p, _ := r.layout.Parse(uid.ID(tick<<r.timeShift | r.tail)) // valid: the tick is from an id
	return p.Time
}

// newest is the largest id that was made until now, by a clock that is right.
func (r *reading) newest(now time.Time) uid.ID {
	if now.Before(r.time(0)) {
		return -1
	}
	if id, err := r.layout.MaxID(now); err == nil {
		return id
	}
	return math.MaxInt64 // its time is over
}
