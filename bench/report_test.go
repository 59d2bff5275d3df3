package bench

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/uid"
)

// sample is a report with something in every field that is written.
func sample() Report {
	none := int64(0)
	return Report{
		Started:   time.Date(2026, time.November, 24, 0, 0, 0, 0, time.UTC),
		Generator: "cached", Layout: must(uid.ParseLayout("28/22/13 since 2026-01-01T00:00:00Z")),
		WorkerID: 7, Class: "NeverReused",
		Mode: "single", Goroutines: 2,
		IDs: 912_345_678, Seconds: 5, NSPerID: 5.4804, AtomicAddNS: 7.81, AtomicCallNS: 9.13,
		IDsPerSecond: 182_469_136, Ratio: 0.7017, CallRatio: 0.6003,
		rounds: []round{
			{456_000_000, 2500 * time.Millisecond, 7.81, 9.16},
			{},
			{456_345_678, 2500 * time.Millisecond, 7.8, 9.1},
		},
		Latency: map[string]int64{
			"p50": 41, "p90": 60, "p99": 110, "p999": 1210, "p9999": 15_400, "max": 2_300_000,
		},
		LatencySamples: 512_000, timer: 20,
		RejectedTakes: 1, RingSize: 65_536,
		AheadSeconds: 108_000, LifeUsed: 0.0004,
		Duplicates: &none, OrderViolations: &none,
		Machine: "4 x Example 9 (2 used), linux/amd64, go1.26",
	}
}

func text(t *testing.T, r Report) string {
	var b bytes.Buffer
	require.NoError(t, WriteText(&b, r))
	return b.String()
}

func TestTheTextReport(t *testing.T) {
	assert.Equal(t, `  ids a second   182 M
  ids            912,345,678 in 5 s, by 2 goroutines, one at a time
  time per id    5.48 ns
  time per call  half took 41 ns or less, 99 % took 110 ns or less, the longest of 512,000 timed 2.3 ms
  ahead          the last ids have times that are 30 h ahead of the clock, because
                 they were taken faster than the 8.19 k a second that the layout holds;
                 this used up 0.04 % of its time, which ends in 2.99 h at this pace
  ring           room for 65,536 ids in advance; 1 call had to wait
  verified       every id is new and above the last one of its goroutine

  latency of a call, 512,000 timed, with 20 ns for reading the clock
      p50    p90     p99    p99.9   p99.99     max
    41 ns  60 ns  110 ns  1.21 µs  15.4 µs  2.3 ms

cached generator, layout 28/22/13@1s since 2026-01-01, until 2034-07-04
worker id 7 (NeverReused)
4 x Example 9 (2 used), linux/amd64, go1.26
an atomic add to one shared counter took 7.81 ns here: an id costs 0.702 of them
(in a function call 9.13 ns: 0.6)
`, text(t, sample()))
}

// Slower takes do not run ahead by themselves.
func TestALeasesFirstMinuteIsAheadToo(t *testing.T) {
	r := sample()
	r.IDsPerSecond, r.AheadSeconds = 8192, 59
	assert.Contains(t, text(t, r), "59 s ahead of the clock, as\n")
	assert.NotContains(t, text(t, r), "at this pace")
	r = sample()
	r.Class = "FencedLossy"
	assert.NotContains(t, text(t, r), "at this pace", "it ends after a minute")
}

// AheadSeconds counts to the end of a tick that is not over yet.
func TestATickIsNotBorrowed(t *testing.T) {
	for layout, ahead := range map[string]float64{
		"28/22/13": 1, "41/10/12@1ms": 0.001, "17/4/1/41/0@24h": 86_400,
	} {
		r := sample()
		r.Layout, r.AheadSeconds = must(uid.ParseLayout(layout)), ahead
		assert.NotContains(t, text(t, r), "ahead of the clock", layout)
		r.AheadSeconds *= 1.01
		assert.Contains(t, text(t, r), "ahead of the clock", layout)
	}
}

func TestTheTextReportOfWhatWentWrong(t *testing.T) {
	r := sample()
	two, three := int64(2), int64(3)
	r.Duplicates, r.OrderViolations, r.Errors = &two, &three, 4
	got := text(t, r)
	assert.Contains(t, got, "2 DUPLICATES, 3 OUT OF ORDER")
	none := int64(0)
	r.Duplicates, r.UnverifiedIDs = &none, 12_345
	assert.Contains(t, text(t, r), "12,345 NOT CHECKED, each of the others is new, 3 OUT OF ORDER")
	assert.Contains(t, got, "4 calls failed\n")
}

// sampleOf is the report of a load with so few timed calls.
func sampleOf(calls int64) Report {
	h := newHistogram()
	record(h, 2*time.Microsecond, calls)
	r := sample()
	r.Latency, r.LatencySamples = spansOf(h), calls
	return r
}

func TestAPercentileTakesEnoughCalls(t *testing.T) {
	for calls, want := range map[int64]string{
		1:      "max",
		2:      "p50 max",
		9:      "p50 max",
		10:     "p50 p90 max",
		45:     "p50 p90 max",
		100:    "p50 p90 p99 max",
		9_999:  "p50 p90 p99 p99.9 max",
		10_000: "p50 p90 p99 p99.9 p99.99 max",
	} {
		var names, lines []string
		for name, ns := range known(sampleOf(calls).Latency) {
			assert.InEpsilon(t, 2000, ns, 0.01, name)
			names, lines = append(names, name), append(lines, fmt.Sprintf("%d %s-ns", ns, name))
		}
		assert.Equal(t, want, strings.Join(names, " "), calls)
		assert.Regexp(t, `the clock\n +`+strings.Join(names, " +")+`\n`, text(t, sampleOf(calls)))

		var b bytes.Buffer
		require.NoError(t, WriteBench(&b, sampleOf(calls)))
		assert.True(t, strings.HasSuffix(b.String(), strings.Join(lines, "\t")+"\n"), b.String())
	}
}

func TestTheTextReportLeavesOutWhatDoesNotApply(t *testing.T) {
	r := sample()
	r.Generator, r.RingSize, r.AheadSeconds = "default", 0, 0.5
	r.Duplicates, r.OrderViolations = nil, nil
	r.IDs, r.Rate, r.IDsPerSecond = 4500, 1000, 900
	got := text(t, r)
	for _, word := range []string{"ring ", "ahead", "verified", "errors", "per id", "costs"} {
		assert.NotContains(t, got, word)
	}
	assert.Contains(t, got, "took 7.81 ns\n(in a function call 9.13 ns)\n")
	assert.Contains(t, got, "900, asked for 1 k: it fell behind")
	assert.Contains(t, got, "latency of a call from when it was due")
	assert.Contains(t, got, "time per call  from when it was due, half took ")
	r.IDs, r.Seconds, r.Rate, r.IDsPerSecond = 5, 0.6, 10, 8.3 // two goroutines took three and two
	assert.NotContains(t, text(t, r), "behind")
	assert.Contains(t, text(t, Report{}), "0 in 0 s", "nothing was run")
}

func TestTheBenchReport(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteBench(&b, sample()))
	cpus := fmt.Sprintf("-%d\n", runtime.GOMAXPROCS(0))
	assert.Equal(t, benchHead()+strings.ReplaceAll(strings.ReplaceAll(`BenchmarkUidbench/generator=cached/layout=LAYOUT/mode=single/goroutines=2-CPUS
  456000000
  5.482 ns/op
  182400000 ids/s
  7.81 atomic-add-ns/op
  0.702 ratio
  9.16 atomic-call-ns/op
  0.5985 call-ratio
BenchmarkUidbench/generator=cached/layout=LAYOUT/mode=single/goroutines=2-CPUS
  456345678
  5.478 ns/op
  182538271 ids/s
  7.8 atomic-add-ns/op
  0.7023 ratio
  9.1 atomic-call-ns/op
  0.602 call-ratio
BenchmarkUidbenchLatency/generator=cached/layout=LAYOUT/mode=single/goroutines=2-CPUS
  512000
  41 p50-ns
  60 p90-ns
  110 p99-ns
  1210 p99.9-ns
  15400 p99.99-ns
  2300000 max-ns
`, "-CPUS\n", cpus), "LAYOUT", "28|22|13@1s/class=NeverReused"),
		strings.ReplaceAll(b.String(), "\t", "\n  "))
	assert.Regexp(t, `^goos: \w+\ngoarch: \w+\npkg: github.com/ringuid/ringuid/bench\n`, benchHead())

	r := sample()
	r.Rate, r.WorkerID = 1000, -1 // a server's ids, at a pace that is given
	b.Reset()
	require.NoError(t, WriteBench(&b, r))
	assert.Contains(t, b.String(), "generator=cached/mode=single/rate=1000/goroutines=2")
	assert.NotContains(t, b.String(), "ratio")
}

func TestFormatRate(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "0 /s", 0.5: "0.5 /s", 12.34: "12.3 /s", 999: "999 /s", 999.7: "1 k/s",
		8192: "8.19 k/s", 182_469_136: "182 M/s", 3.1e9: "3.1 G/s", 1.5e15: "1,500 T/s",
	} {
		assert.Equal(t, want, FormatRate(rate))
	}
}

func TestFormatSpan(t *testing.T) {
	for want, seconds := range map[string]float64{
		"0 s": 0, "0.374 ns": 0.374e-9, "42 ns": 42e-9, "1.21 µs": 1.21e-6,
		"15.4 ms": 0.0154, "1 ms": 0.00099999,
		"5 s": 5, "90 s": 90, "10 min": 600, "30.4 h": 109_440, "23 days": 23 * 86400,
		"8.5 years": 8.5 * 365.2425 * 86400,
		"-2 s":      -2,
	} {
		assert.Equal(t, want, FormatSpan(seconds))
	}
}

func TestTheStrideFollowsTheSpeedOfTheCalls(t *testing.T) {
	stride := 1
	for range 20 {
		stride = nextStride(stride, time.Duration(stride)*8*time.Nanosecond)
	}
	assert.Equal(t, 1024, stride, "8 ns a call: 8 µs")
	for range 20 {
		stride = nextStride(stride, time.Duration(stride)*time.Millisecond)
	}
	assert.Equal(t, 1, stride, "1 ms a call: each")
	for range 20 {
		stride = nextStride(stride, 0)
	}
	assert.Equal(t, maxStride, stride)
}

func TestACallLongerThanTheLongestCountsAsIt(t *testing.T) {
	h := newHistogram()
	record(h, 2*longest, 1)
	assert.InEpsilon(t, longest, spansOf(h)["max"], 0.01)
}
