package sweep

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sweepOf is a report of these combinations, the first of which took ids at so
// many millions a second; each one after it was half as fast.
func sweepOf(t *testing.T, c Config, millions float64) Report {
	c = small(c)
	all, err := c.Combinations()
	require.NoError(t, err)
	r := Report{
		Rounds: 5, Slice: 0.1, Combinations: len(all), Machine: "2 x Test, linux/amd64, go1.25",
	}
	for _, one := range all {
		ns := 1e3 / millions
		r.Points = append(r.Points, Point{
			Combination: one, IDsPerSecond: millions * 1e6, NSPerID: ns, AtomicAddNS: 5,
			Ratio: ns / 5, LowestRatio: ns / 6, HighestRatio: ns / 4,
			RejectedTakes: 1234,
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

func TestTheTableHasARowForEachAndTheFailuresBelow(t *testing.T) {
	r := sweepOf(t, Config{Goroutines: []int{1, 2, 4}}, 200)
	r.Points = r.Points[:2]
	r.Points[1] = Point{Combination: r.Points[1].Combination, Error: "it broke\nand broke"}
	r.Interrupted = true
	text := sweepText(t, r)
	assert.Contains(t, text, "the median of 5 runs of 100 ms each "+
		"(interrupted: 2 of 3 combinations)\n2 x Test, linux/amd64, go1.25\n\n")
	for _, row := range []string{
		"goroutines boost power padding factor layout path rate per id atomic add ratio lowest " +
			"highest waits",
		"1 3 50 28/22/13 take 200 M/s 5 ns 5 ns 1.000 0.833 1.250 1,234",
		"2 3 50 28/22/13 take failed - - - - - -",
	} {
		assert.Contains(t, strings.Join(strings.Fields(text), " "), row)
	}
	assert.Contains(t, text, "\nfailed: goroutines 2, boost power 3, padding factor 50, "+
		"layout 28/22/13, path take: it broke; and broke\n")
}
