package sweep

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// sweepOf is a report of these combinations, the first of which took ids at so
// many millions a second; each one after it was half as fast.
func sweepOf(c Config, millions float64) Report {
	c = c.withDefaults()
	r := Report{
		Rounds: 5, Slice: 0.1, Axes: axesOf(c.combinations()),
		Machine: bench.Machine{OS: "linux", Arch: "amd64", CPU: "Test", CPUs: 2, GOMAXPROCS: 2,
			Go: "go1.25"},
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

func TestASweepAlongOneAxisHasBars(t *testing.T) {
	r := sweepOf(Config{Goroutines: []int{1, 2, 4}}, 200)
	r.Experiment, r.QuotedFrom = "consumers", "somebody's README"
	for i := range r.Points {
		r.Points[i].QuotedIDsPerSecond = 6.4e6
	}
	r.Points[1] = Point{Combination: r.Points[1].Combination, QuotedIDsPerSecond: 6.4e6,
		Error: "it broke\nand broke"}
	assert.Equal(t, `experiment consumers, beside somebody's README
the median of 5 runs of 100 ms each
boost power 3, padding factor 50, layout 28/22/13, path take
2 x Test, linux/amd64, go1.25

  goroutines     rate  per id  atomic add  ratio  lowest  highest  waits     ahead    life   quoted  times
           1  200 M/s    5 ns        5 ns  1.000   0.833    1.250  1,234  33.3 min  0.25 %  6.4 M/s   31.2  ████████████████
           2   failed       -           -      -       -        -      -         -       -  6.4 M/s      -
           4   50 M/s   20 ns        5 ns  4.000   3.333    5.000  1,234  33.3 min  0.25 %  6.4 M/s   7.81  ████

failed:
  goroutines 2: it broke; and broke
`, sweepText(t, r))
}

func TestASweepAlongTwoAxesHasAGrid(t *testing.T) {
	r := sweepOf(Config{Goroutines: []int{1, 2}, BoostPowers: []int{0, 1, 2}}, 320)
	r.Points[2].Error = "it broke"
	r.Points = r.Points[:5]
	r.Interrupted = true
	text := sweepText(t, r)
	assert.Contains(t, text, "(interrupted: 5 of 6 combinations)\n")
	_, grid, found := strings.Cut(text, "goroutines 1, boost power 2: it broke\n")
	require.True(t, found)
	assert.Equal(t, `
ids a second: ░ from 20 M/s, ▒ from 40 M/s, ▓ from 80 M/s, █ from 160 M/s

boost power down, goroutines across
             1         2
  0  320 M/s █  40 M/s ▒
  1  160 M/s █  20 M/s ░
  2     failed         -
`, grid)
}

func TestASweepAlongMoreAxesHasAGridForEachOther(t *testing.T) {
	c := Config{
		Goroutines: []int{1, 2}, BoostPowers: []int{0, 1}, Layouts: []uid.Layout{uid.DefaultLayout},
		Paths: []string{PathTake, PathStream}, PaddingFactors: []int{10, 20, 30, 40, 50, 60, 70, 80},
	}
	text := sweepText(t, sweepOf(c, 1e6))
	assert.Contains(t, text, "goroutines down, boost power across: padding factor 10, path take\n")
	assert.Equal(t, mostGrids, strings.Count(text, "goroutines down"))
	assert.Contains(t, text, "\nand 4 such grids more\n")
}

func TestManyFailuresAreNotAllTold(t *testing.T) {
	c := Config{}
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
	assert.Equal(t, `goos: linux
goarch: amd64
pkg: github.com/ringuid/ringuid/bench
cpu: Test
BenchmarkUidbenchSweep/goroutines=1/boost_power=3/padding_factor=50/layout=28|22|13/path=take-2	1000	5 ns/op	200000000 ids/s	5 atomic-add-ns/op	1 ratio	6 atomic-call-ns/op	0.8333 call-ratio
`, b.String())
}
