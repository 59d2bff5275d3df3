package uid

import (
	"fmt"
	"math"
	"time"
)

// Two counts of ticks meet here. An id holds ticks since its layout's epoch
// ("tick"); a lease grants ticks since the Unix epoch ("unixTick"), which mean
// the same to layouts with different epochs. Either is an int64, and a layout
// may have 63 bits of days: neither a Duration (292 years) nor UnixNano reaches
// that far, so the arithmetic is done in seconds and milliseconds, and stops at
// the end of time.Time's range.

// farthest is how many seconds from the Unix epoch times are computed, 292
// billion years; beyond, they come out as that. It leaves room for an epoch
// and for time.Time's own offset to the year 1.
const farthest = math.MaxInt64 - 1<<40

// End returns the first instant that the layout cannot hold, in UTC; the zero time when
// the layout is not valid. An end more than 292 billion years from now is returned as
// about that.
func (l Layout) End() time.Time {
	if l.Validate() != nil {
		return time.Time{}
	}
	return l.start(l.maxTick()).Add(l.Unit)
}

// start returns the first instant of a tick of the layout.
func (l Layout) start(tick int64) time.Time {
	return l.addTicks(l.tickStart(l.epochTick()), tick)
}

// epochTick returns the tick, counted from the Unix epoch, that is the layout's
// tick 0.
func (l Layout) epochTick() int64 { return l.unixTick(l.Epoch) }

// tickStart returns the first instant of a tick that is counted from the Unix
// epoch.
func (l Layout) tickStart(unixTick int64) time.Time {
	return l.addTicks(time.Unix(0, 0), unixTick)
}

// unixTick returns the number of the tick that holds t, counted from the Unix
// epoch, rounded down also before it.
func (l Layout) unixTick(t time.Time) int64 {
	unit := l.Unit.Milliseconds()
	// With t = n*unit seconds + rest, t in milliseconds is 1000*n*unit +
	// 1000*rest, and dividing it by the unit leaves 1000*n: no product of t and
	// 1000 is needed, which would overflow.
	n, rest := floorDiv(t.Unix(), unit)
	ms := int64(t.Nanosecond()) / int64(time.Millisecond)
	if n >= math.MaxInt64/1000 {
		return math.MaxInt64
	}
	if n <= math.MinInt64/1000 {
		return math.MinInt64
	}
	return n*1000 + (rest*1000+ms)/unit
}

// tickOf returns the layout's tick that holds t, or an error.
func (l Layout) tickOf(t time.Time) (int64, error) {
	if err := l.Validate(); err != nil {
		return 0, err
	}
	epoch, now := l.epochTick(), l.unixTick(t)
	if now < epoch {
		return 0, fmt.Errorf("%w: %s is before the layout's epoch, %s", ErrRange, timeString(t),
			timeString(l.Epoch))
	}
	// The difference may need 64 bits, which uint64 has.
	if tick := uint64(now) - uint64(epoch); now < math.MaxInt64 && tick <= uint64(l.maxTick()) {
		return int64(tick), nil
	}
	return 0, fmt.Errorf("%w: %s is not before the layout's end, %s", ErrRange, timeString(t),
		timeString(l.End()))
}

// addTicks returns t plus n units, in UTC.
func (l Layout) addTicks(t time.Time, n int64) time.Time {
	unit := l.Unit.Milliseconds()
	// n*unit milliseconds, as seconds and a rest: n is split before it is
	// multiplied, for the same reason as in unixTick.
	thousands, rest := floorDiv(n, 1000)
	limit := farthest/unit - 1
	switch {
	case thousands > limit:
		return time.Unix(farthest, 0).UTC()
	case thousands < -limit:
		return time.Unix(-farthest, 0).UTC()
	}
	sec := thousands*unit + rest*unit/1000
	nsec := rest * unit % 1000 * int64(time.Millisecond)
	return time.Unix(t.Unix()+sec, int64(t.Nanosecond())+nsec).UTC()
}

// floorDiv divides, rounding down, by a positive d. The rest is 0 to d-1.
func floorDiv(n, d int64) (quotient, rest int64) {
	quotient, rest = n/d, n%d
	if rest < 0 {
		quotient, rest = quotient-1, rest+d
	}
	return quotient, rest
}
