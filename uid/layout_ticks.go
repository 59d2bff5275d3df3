package uid

import (
	"math"
	"time"
)

// Two counts of ticks meet here. An id holds ticks since its layout's epoch ("tick"); a lease
// grants ticks since the Unix epoch ("unixTick"), which mean the same to layouts with
// different epochs. Times are computed in milliseconds since the Unix epoch. A layout may hold
// more milliseconds than an int64: times beyond farthest come out as farthest.

// farthest is how far from the Unix epoch times are computed, in seconds: 292 million years.
const farthest = math.MaxInt64/1000 - 1

// start returns the first instant of a tick of the layout.
func (l Layout) start(tick int64) time.Time {
	epoch := l.epochTick()
	return l.tickStart(epoch + min(tick, math.MaxInt64-max(epoch, 0)))
}

// epochTick returns the tick, counted from the Unix epoch, that is the layout's
// tick 0.
func (l Layout) epochTick() int64 { return l.unixTick(l.Epoch) }

// tickStart returns the first instant of a tick that is counted from the Unix
// epoch.
func (l Layout) tickStart(unixTick int64) time.Time {
	unit := l.Unit.Milliseconds()
	limit := farthest * 1000 / unit
	return time.UnixMilli(min(max(unixTick, -limit), limit) * unit).UTC()
}

// unixTick returns the number of the tick that holds t, counted from the Unix epoch. It is
// rounded down, even before the epoch.
func (l Layout) unixTick(t time.Time) int64 {
	switch sec := t.Unix(); {
	case sec >= farthest:
		return math.MaxInt64
	case sec <= -farthest:
		return math.MinInt64
	}
	ms, unit := t.UnixMilli(), l.Unit.Milliseconds()
	tick := ms / unit
	if ms%unit < 0 {
		tick--
	}
	return tick
}

// timeString writes a time for people and errors, without its monotonic part.
func timeString(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
