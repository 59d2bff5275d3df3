package bench

import (
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// clock counts nanoseconds since it was made, on the monotonic clock.
type clock struct{ start time.Time }

func newClock() clock { return clock{time.Now()} }

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

// LongestLatency is the longest latency that is recorded, to one percent; longer ones
// count as this.
const LongestLatency = time.Minute

const latencyDigits = 2

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(LongestLatency), latencyDigits)
}

func record(h *hdrhistogram.Histogram, d time.Duration, calls int64) {
	// Cannot fail: the value is within the histogram's range.
	_ = h.RecordValues(int64(min(max(d, 1), LongestLatency)), calls)
}

// Latency says how long calls took, in nanoseconds, to one percent.
type Latency struct {
	P50   int64 `json:"p50"`
	P90   int64 `json:"p90"`
	P99   int64 `json:"p99"`
	P999  int64 `json:"p999"`
	P9999 int64 `json:"p9999"`
	Max   int64 `json:"max"` // of the timed calls
}

func latencyOf(h *hdrhistogram.Histogram) Latency {
	return Latency{
		P50:   h.ValueAtQuantile(50),
		P90:   h.ValueAtQuantile(90),
		P99:   h.ValueAtQuantile(99),
		P999:  h.ValueAtQuantile(99.9),
		P9999: h.ValueAtQuantile(99.99),
		Max:   h.Max(),
	}
}

// Percentile says how long a percentage of the calls took at most.
type Percentile struct {
	Percent float64 `json:"percent"` // of the timed calls
	NS      int64   `json:"ns"`      // that they took at most
}

// percentilesOf is the whole distribution, finer towards its end.
func percentilesOf(h *hdrhistogram.Histogram) (all []Percentile) {
	for _, b := range h.CumulativeDistribution() {
		all = append(all, Percentile{b.Quantile, b.ValueAt})
	}
	return all
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
