package bench

import (
	"slices"
	"time"
)

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

// A closed loop times one call in a stride, and fits the stride to the speed of
// the calls: reading the clock twice takes some 50 ns, so once in 10 microseconds
// costs half a percent. Calls that take longer than that are all timed.
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
