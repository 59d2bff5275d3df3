package charts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// sweepReport is of each path, with each of so many goroutines and boost powers.
func sweepReport(goroutines, powers int, paths ...string) (r sweep.Report) {
	values := map[string][]sweep.AxisValue{}
	rate := 100e6
	for g := range goroutines {
		for b := range powers {
			for _, path := range paths {
				rate *= 1.1
				c := sweep.Combination{Goroutines: 1 + g, BoostPower: b, LayoutBits: "28/22/13", Path: path}
				r.Points = append(r.Points, sweep.Point{Combination: c, IDsPerSecond: rate})
			}
			if g == 0 {
				values[sweep.AxisBoost] = append(values[sweep.AxisBoost], sweep.AxisValue(fmt.Sprint(b)))
			}
		}
		values[sweep.AxisGoroutines] = append(values[sweep.AxisGoroutines], sweep.AxisValue(fmt.Sprint(1+g)))
	}
	for _, path := range paths {
		values[sweep.AxisPath] = append(values[sweep.AxisPath], sweep.AxisValue(path))
	}
	for _, name := range []string{sweep.AxisGoroutines, sweep.AxisBoost, sweep.AxisPath} {
		r.Axes = append(r.Axes, sweep.Axis{Name: name, Values: values[name]})
	}
	r.Rounds, r.Slice = 5, 0.1
	return r
}

func sweepTexts(t *testing.T, r sweep.Report) string {
	figure, err := Sweep(r)
	require.NoError(t, err)
	assert.NotEmpty(t, figure.Caption)
	return strings.Join(xmlTexts(t, figure.SVG), "\n")
}

func TestASweepAlongOneAxisIsALine(t *testing.T) {
	texts := sweepTexts(t, sweepReport(3, 1, "take"))
	for _, want := range []string{"Ids a second: boost power 0, path take", "The median of 5 runs of 100 ms", "goroutines", "3", "100 M/s"} {
		assert.Contains(t, texts, want)
	}
	assert.NotContains(t, texts, "quoted")
}

func TestQuotedRatesAreBesideOnALogarithmicScale(t *testing.T) {
	r := sweepReport(3, 1, "take")
	r.Experiment, r.QuotedFrom = "consumers", "a README"
	for i := range r.Points {
		r.Points[i].QuotedIDsPerSecond = 6.4e6
	}
	texts := sweepTexts(t, r)
	for _, want := range []string{"Baidu's experiment consumers", "Quoted is", "README.", "quoted", "here", "1 M/s", "10 M/s", "100 M/s", "1 G/s"} {
		assert.Contains(t, texts, want)
	}
}

func TestASweepAlongTwoAxesIsAHeatMap(t *testing.T) {
	r := sweepReport(2, 2, "take")
	r.Points[1].Error = "it broke"
	r.Points = r.Points[:3]
	r.Interrupted = true
	texts := sweepTexts(t, r)
	for _, want := range []string{"goroutines", "boost power", "110 M/s", "failed", "133 M/s", "–", "Interrupted"} {
		assert.Contains(t, texts, want)
	}
}

func TestASweepAlongThreeAxesHasAPanelForEachValueOfTheThird(t *testing.T) {
	texts := sweepTexts(t, sweepReport(2, 3, "take", "relaxed"))
	assert.Contains(t, texts, "path take")
	assert.Contains(t, texts, "path relaxed")
	assert.Equal(t, 12, strings.Count(texts, " M/s"))
}

func TestTheFastestCellIsTheDarkest(t *testing.T) {
	r := sweepReport(2, 2, "take")
	h := heat{r.Grids()[0], r.Rates()}
	slow, words, _ := h.cell(r.Points[0], true)
	assert.Equal(t, heats[0], slow)
	assert.EqualValues(t, ink, words)
	fast, words, _ := h.cell(r.Points[3], true)
	assert.Equal(t, heats[len(heats)-1], fast)
	assert.EqualValues(t, paper, words)
}

func TestASweepOfNothingCanBeDrawn(t *testing.T) {
	for name, r := range map[string]sweep.Report{
		"no axis":  {},
		"one axis": {Axes: sweepReport(3, 1, "take").Axes},
		"two axes": {Axes: sweepReport(3, 2, "take").Axes, Interrupted: true},
	} {
		_, err := Sweep(r)
		assert.NoError(t, err, name)
	}
}

func TestLabelsDoNotRunIntoEachOther(t *testing.T) {
	for name, label := range map[string]func(int) string{
		"numbers": func(i int) string { return fmt.Sprint(i) },
		"layouts": func(i int) string { return fmt.Sprintf("31/%d/%d", 20+i, 12-i) },
	} {
		for _, n := range []int{1, 4, 8, 10, 40} {
			values := make([]sweep.AxisValue, n)
			for i := range values {
				values[i] = sweep.AxisValue(label(i))
			}
			style, between := textStyle(ink), labelRoom/float64(n)
			end, written := -1e9, 0
			for i, tick := range thinned(valueTicks(values, func(i int) int { return i })) {
				if tick.Label == "" {
					continue
				}
				half := float64(style.Width(tick.Label)) / 2
				assert.Greater(t, float64(i)*between-half, end, "%s, %d of %d", name, i, n)
				end = float64(i)*between + half
				written++
			}
			assert.GreaterOrEqual(t, written, min(n, 4), "%s, %d", name, n)
		}
	}
}
