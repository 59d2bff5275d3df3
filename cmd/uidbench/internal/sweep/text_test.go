package sweep

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

// sweepOf is a report of these combinations, the first of which took ids at so
// many millions a second; each one after it was half as fast.
func sweepOf(c Config, millions float64) Report {
	c = small(c)
	r := Report{
		Rounds: 5, Slice: 0.1, Axes: axesOf(c.combinations()),
		Machine: "2 x Test, linux/amd64, go1.25",
	}
	for _, one := range c.combinations() {
		ns := 1e3 / millions
		r.Points = append(r.Points, Point{
			Combination: one, IDsPerSecond: millions * 1e6, NSPerID: ns, AtomicAddNS: 5,
			Ratio: ns / 5, LowestRatio: ns / 6, HighestRatio: ns / 4,
			RejectedTakes: 1234, AheadSeconds: 2000, LifeUsed: 0.0025,
			Runs: []bench.Round{{IDs: 1000, Seconds: ns / 1e6, NSPerID: ns, AtomicAddNS: 5,
				AtomicCallNS: 6}},
		})
		millions /= 2
	}
	return r
}

func sweepText(t *testing.T, r Report) string {
	var b bytes.Buffer
	require.NoError(t, WriteText(&b, r))
	return b.String()
}

func TestTheTableHasTheVariedAxesAndTheFailuresBelow(t *testing.T) {
	r := sweepOf(Config{Goroutines: []int{1, 2, 4}}, 200)
	r.Points[1] = Point{Combination: r.Points[1].Combination, Error: "it broke\nand broke"}
	assert.Equal(t, `the median of 5 runs of 100 ms each
boost power 3, padding factor 50, layout 28/22/13, path take
2 x Test, linux/amd64, go1.25

  goroutines     rate  per id  atomic add  ratio  lowest  highest  waits     ahead    life
           1  200 M/s    5 ns        5 ns  1.000   0.833    1.250  1,234  33.3 min  0.25 %
           2   failed       -           -      -       -        -      -         -       -
           4   50 M/s   20 ns        5 ns  4.000   3.333    5.000  1,234  33.3 min  0.25 %

failed:
  goroutines 2: it broke; and broke
`, sweepText(t, r))
}

func TestAnInterruptedSweepSaysHowFarItCame(t *testing.T) {
	r := sweepOf(Config{Goroutines: []int{1, 2}, BoostPowers: []int{0, 1, 2}}, 320)
	r.Points = r.Points[:5]
	r.Interrupted = true
	text := sweepText(t, r)
	assert.Contains(t, text, "(interrupted: 5 of 6 combinations)\n")
	assert.Contains(t, text, "\n  goroutines  boost power     rate ")
}

func TestManyFailuresAreNotAllTold(t *testing.T) {
	var c Config
	for n := range 25 {
		c.Goroutines = append(c.Goroutines, n+1)
	}
	r := sweepOf(c, 1e6)
	for i := range r.Points {
		r.Points[i].Error = fmt.Sprintf("fault %d.", i)
	}
	text := sweepText(t, r)
	assert.Contains(t, text, "fault 19.\n  and 5 more\n")
	assert.NotContains(t, text, "fault 20.")
}

func TestASweepOfNothingSaysSo(t *testing.T) {
	r := sweepOf(Config{Goroutines: []int{1, 2}}, 1)
	r.Points, r.Interrupted = nil, true
	text := sweepText(t, r)
	assert.Contains(t, text, "(interrupted: 0 of 2 combinations)")
	assert.Contains(t, text, "\nnothing was measured\n")
}

func TestBenchstatReadsASweep(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteBench(&b, sweepOf(Config{Goroutines: []int{1}}, 200)))
	assert.Equal(t, bench.BenchHead()+fmt.Sprintf("BenchmarkUidbenchSweep/goroutines=1/boost_power=3/"+
		"padding_factor=50/layout=28|22|13/path=take-%d\t1000\t5 ns/op\t200000000 ids/s\t"+
		"5 atomic-add-ns/op\t1 ratio\t6 atomic-call-ns/op\t0.8333 call-ratio\n",
		runtime.GOMAXPROCS(0)), b.String())
}
