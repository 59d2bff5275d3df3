package bench

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/ringuid/ringuid/uid"
)

// longest is what longer latencies and ages are recorded as. The ages of ids with ticks of a
// day are up to a day.
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

// spansOf returns how long calls took, or how old ids were. A figure that there are too few
// calls to show has no key: a null in JSON would read as 0 in some languages, and pass any
// limit.
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

// ageInterval is how often one of the loaders measures the age of an id.
const ageInterval = 100 * time.Microsecond

// fromTheFuture is the age that a report gives to ids whose times are still to come.
const fromTheFuture = 0

// ages are how old ids were when they were handed out: the time of the take minus the time
// in the id, which is the first instant of its tick. Ids from the future have no age.
type ages struct {
	due  time.Duration // on the run's clock
	seen *hdrhistogram.Histogram
}

// observe records the age of an id just taken, if one is due. A nil ages records none.
func (a *ages) observe(now time.Duration, layout uid.Layout, id uid.ID) {
	if a == nil || now < a.due {
		return
	}
	a.due = now + ageInterval
	taken := time.Now()
	if p, err := layout.Parse(id); err == nil {
		_ = a.seen.RecordValue(int64(min(max(taken.Sub(p.Time), fromTheFuture), longest)))
	}
}

// ageText describes the ages, in words where the times of ids were still to come.
func ageText(r Report) string {
	switch max, known := r.Age["max"]; {
	case !known:
		return ""
	case max <= fromTheFuture:
		return "none: the times in the ids were still to come when they were taken"
	}
	text, future := "", []string{}
	for name, ns := range known(r.Age) {
		if ns <= fromTheFuture {
			future = append(future, name)
			continue
		}
		text += fmt.Sprintf("%s %s, ", name, formatNS(float64(ns)))
	}
	text += "from the id's time to the call"
	if len(future) > 0 {
		text += "; at " + strings.Join(future, ", ") + " it was still to come"
	}
	return text
}
