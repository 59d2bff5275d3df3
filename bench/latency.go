package bench

import (
	"iter"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// longest is what longer latencies are recorded as.
const longest = 48 * time.Hour

const latencyDigits = 2

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(longest), latencyDigits)
}

func record(h *hdrhistogram.Histogram, d time.Duration, calls int64) {
	// Cannot fail: the value is within the histogram's range.
	_ = h.RecordValues(int64(min(max(d, 1), longest)), calls)
}

// latencies are what a report says about how long calls took: the percentiles, and the longest
// call. A percentile needs so many calls that one of them is expected to be slower. With fewer,
// the slowest is only their maximum, and says nothing about the slowest of 10,000.
var latencies = [...]struct {
	key, name string
	percent   float64
	calls     int64
}{
	{"p50", "p50", 50, 2},
	{"p90", "p90", 90, 10},
	{"p99", "p99", 99, 100},
	{"p999", "p99.9", 99.9, 1000},
	{"p9999", "p99.99", 99.99, 10_000},
	{"max", "max", 100, 1},
}

// spansOf returns how long calls took. A figure that there are too few calls to show has no key:
// a null in JSON would read as 0 in some languages, and pass any limit.
func spansOf(h *hdrhistogram.Histogram) map[string]int64 {
	l := map[string]int64{}
	for _, p := range latencies {
		if h.TotalCount() >= p.calls {
			l[p.key] = h.ValueAtQuantile(p.percent)
		}
	}
	return l
}

// known returns the figures that there are, from p50 to max, by names for people: the key p999
// is named p99.9.
func known(l map[string]int64) iter.Seq2[string, int64] {
	return func(yield func(string, int64) bool) {
		for _, p := range latencies {
			if ns, ok := l[p.key]; ok && !yield(p.name, ns) {
				return
			}
		}
	}
}
