package bench

import (
	"slices"
	"time"
)

// never is later than the end of any run; a run's start can be added to it.
const never = 1 << 62

// due returns when the loader's next call of an open loop is due, counted from the start of the
// load. The calls of all loaders are due in turn, Rate times a second. With a low rate, times
// can be later than a Duration holds.
func (l *loader) due() time.Duration {
	if ns := float64(l.next) * float64(time.Second) / l.run.Rate; ns < never {
		return time.Duration(ns)
	}
	return never // NaN too
}

func (l *loader) skip(calls int64) { l.next += calls * int64(l.run.Goroutines) }

// countOverdue counts the calls of an open loop that were due before it ended and got no
// answer, with the time that they had waited until then. Without them, a generator that stalls
// for good would seem to have made no call wait.
func (r *run) countOverdue() {
	if r.Rate == 0 || r.Count > 0 && r.todo == 0 {
		return
	}
	end := r.loadTime()
	if r.Count == 0 {
		end = min(end, r.Duration) // the rest was for the calls that were underway
	}
	for _, l := range r.loaders {
		r.neverRan += l.countOverdue(end)
	}
}

// mostOverdue is how many overdue calls of a loader are counted one by one. If there are more,
// each counted call stands for several, which a distribution does not show.
const mostOverdue = 1 << 20

func (l *loader) countOverdue(end time.Duration) (counted int64) {
	first := l.due()
	calls := int64((end - first).Seconds() * l.run.Rate / float64(l.run.Goroutines))
	each := 1 + calls/mostOverdue
	for due := first; due < end; due = l.due() {
		record(l.calls, end-due, each)
		l.skip(each)
		counted += each
	}
	return counted
}

// clock counts nanoseconds since it was made, on the monotonic clock.
type clock struct{ start time.Time }

func (c clock) now() time.Duration { return time.Since(c.start) }

// timerCost returns what a reading of the clock adds to a timed call: the median
// difference of two readings with nothing between them.
func timerCost(c clock) time.Duration {
	costs := make([]time.Duration, 10_001)
	for i := range costs {
		start := c.now()
		costs[i] = c.now() - start
	}
	slices.Sort(costs)
	return costs[len(costs)/2]
}

// A closed loop times one call in a stride, and adapts the stride to the speed of the calls:
// reading the clock twice takes some 50 ns, so once in 10 microseconds costs half a percent.
// Calls that take longer than that are all timed.
const (
	shortStride = 8 * time.Microsecond
	longStride  = 40 * time.Microsecond
	maxStride   = 1 << 12
)

func nextStride(stride int, took time.Duration) int {
	switch {
	case took < shortStride && stride < maxStride:
		return stride * 2
	case took > longStride && stride > 1:
		return stride / 2
	}
	return stride
}
