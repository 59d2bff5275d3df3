package bench

import (
	"iter"
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

// Latency says how long calls took, in nanoseconds, to one percent. What the calls are too
// few to show is 0, and has no key in JSON: there null would read as 0 in some languages,
// and pass any limit.
type Latency struct {
	P50   int64 `json:"p50,omitzero"`
	P90   int64 `json:"p90,omitzero"`
	P99   int64 `json:"p99,omitzero"`
	P999  int64 `json:"p999,omitzero"`
	P9999 int64 `json:"p9999,omitzero"`
	Max   int64 `json:"max,omitzero"`
}

func latencyOf(h *hdrhistogram.Histogram) Latency {
	at := func(oneIn int64) int64 {
		if !shows(h.TotalCount(), oneIn) {
			return 0
		}
		return h.ValueAtQuantile(100 - 100/float64(oneIn))
	}
	return Latency{
		P50: at(2), P90: at(10), P99: at(100), P999: at(1000), P9999: at(10_000), Max: h.Max(),
	}
}

// shows reports whether a sample shows what one value in so many exceeds, as p99.99 is
// exceeded by one in 10,000. It takes as many values: the slowest of fewer is their
// maximum, and says nothing about the slowest of 10,000.
func shows(samples, oneIn int64) bool { return samples >= oneIn }

// All returns the percentiles and the longest call, by their names: p50 to p99.99, and max.
// One that the calls are too few to show is 0.
func (l Latency) All() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for _, p := range []struct {
			name string
			ns   int64
		}{
			{"p50", l.P50}, {"p90", l.P90}, {"p99", l.P99},
			{"p99.9", l.P999}, {"p99.99", l.P9999}, {"max", l.Max},
		} {
			if !yield(p.name, p.ns) {
				return
			}
		}
	}
}

// Known returns those of All that the calls show.
func (l Latency) Known() iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for name, ns := range l.All() {
			if ns > 0 && !yield(name, ns) {
				return
			}
		}
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
