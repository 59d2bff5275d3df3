package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/ringuid/ringuid/bench"
)

// Run draws a run's report, which must have been made with bench.Config.Detail. There are
// six figures: throughput, latency, rounds, fill, ahead and life. Fill and ahead are
// about the ring, and left out if there is none; so is any figure without measurements.
func Run(r bench.Report) ([]Figure, error) {
	var figures []Figure
	for _, draw := range []func(bench.Report) (Figure, error){throughput, latency, rounds, fill, ahead,
		life} {
		f, err := draw(r)
		if err != nil {
			return nil, err
		}
		if f.SVG != nil {
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// overTime are the samples as points, and their largest value.
func overTime(r bench.Report, value func(bench.Sample) float64) (points plotter.XYs, most float64) {
	for _, s := range r.Samples {
		y := value(s)
		points, most = append(points, plotter.XY{X: s.Seconds, Y: y}), max(most, y)
	}
	return points, most
}

// timePlot is a plot whose x axis is the time under load.
func timePlot(r bench.Report, title string) *plot.Plot {
	p := newPlot(title, "time under load")
	p.X.Min, p.X.Max = 0, max(r.Seconds, 1e-9)
	p.X.Tick.Marker = spans(p.X.Max)
	return p
}

func throughput(r bench.Report) (Figure, error) {
	points, most := overTime(r, func(s bench.Sample) float64 { return s.IDsPerSecond })
	if len(points) == 0 {
		return Figure{}, nil
	}
	p := timePlot(r, "Ids a second")
	curve, err := area(points)
	if err != nil {
		return Figure{}, err
	}
	p.Add(curve)
	caption := fmt.Sprintf("%s on average", bench.FormatRate(r.IDsPerSecond))
	switch {
	case r.Rate > 0:
		most = max(most, r.Rate)
		addLevel(p, r.Rate, "asked for")
		caption += fmt.Sprintf(", asked for %s", bench.FormatRate(r.Rate))
	case r.AtomicAddNS > 0:
		adds := 1e9 / r.AtomicAddNS
		most = max(most, adds)
		addLevel(p, adds, "atomic adds")
		caption += fmt.Sprintf("; atomic adds to %s: %s", counter, bench.FormatRate(adds))
	}
	p.Y.Min, p.Y.Max = 0, headroom(most)*1.15 // room for the legend
	p.Y.Tick.Marker = rates(p.Y.Max)
	return newFigure("throughput", caption+".", p)
}

func addLevel(p *plot.Plot, at float64, name string) {
	p.Add(level{at})
	p.Legend.Add(name, level{at})
}

// latency is drawn as HdrHistogram's own plots are: the x axis widens towards the
// longest calls, a decade for each nine.
func latency(r bench.Report) (Figure, error) {
	if len(r.Percentiles) == 0 || r.LatencySamples < 2 { // one call makes no distribution
		return Figure{}, nil
	}
	most := float64(r.LatencySamples)
	var points plotter.XYs
	low, high := math.Inf(1), 0.0
	for _, q := range r.Percentiles {
		x := most
		if q.Percent < 100 {
			x = min(100/(100-q.Percent), most)
		}
		y := float64(max(q.NS, 1)) / 1e9
		points, low, high = append(points, plotter.XY{X: math.Log10(x), Y: y}), min(low, y), max(high, y)
	}
	p := newPlot("Latency of "+callText(r), "part of the calls that were as fast")
	p.Y.Scale = plot.LogScale{}
	p.X.Min, p.X.Max = 0, max(math.Log10(most), 1)
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(low))),
		math.Pow(10, math.Ceil(math.Log10(high*1.01)))
	p.X.Tick.Marker = toTheEnd(logarithms(decades(1, max(most, 10), nines)), p.X.Max)
	p.Y.Tick.Marker = decades(p.Y.Min, p.Y.Max, bench.FormatSpan)
	curve, err := line(blue, points)
	if err != nil {
		return Figure{}, err
	}
	p.Add(curve)
	var known []string
	for name, took := range r.Latency.All() {
		known = append(known, name+" "+ns(took))
	}
	caption := fmt.Sprintf("%s; the timer's own %s is in each.", strings.Join(known, ", "),
		ns(r.TimerNS))
	return newFigure("latency", caption, p)
}

// callText says what was timed, and from when.
func callText(r bench.Report) string {
	text := "a call"
	if r.Mode == "batch" {
		text = fmt.Sprintf("a call for %d ids", r.Batch)
	}
	if r.Rate > 0 {
		text += " from when it was due"
	}
	return text
}

// nines labels 1/(1-q) by q: 0, 90 %, 99 %, 99.9 %.
func nines(x float64) string {
	digits := max(0, int(math.Round(math.Log10(x)))-2)
	return fmt.Sprintf("%.*f %%", digits, 100-100/x)
}

// toTheEnd labels the end of the axis, which is the longest call of all. A nine that is too
// near for words beside it has none.
func toTheEnd(ticks plot.ConstantTicks, end float64) plot.ConstantTicks {
	const room = 0.75 // of a decade
	for i := range ticks {
		if end-ticks[i].Value < room {
			ticks[i].Label = ""
		}
	}
	return append(ticks, plot.Tick{Value: end, Label: "100 %"})
}

func ns(n int64) string { return bench.FormatSpan(float64(n) / 1e9) }

// rounds shows that the ratio is one of figures that were measured in turns.
func rounds(r bench.Report) (Figure, error) {
	var ids, adds plotter.XYs
	most := 0.0
	for i, o := range r.Rounds {
		if o.IDs == 0 {
			continue
		}
		x := float64(i + 1)
		ids, adds = append(ids, plotter.XY{X: x, Y: o.NSPerID / 1e9}),
			append(adds, plotter.XY{X: x, Y: o.AtomicAddNS / 1e9})
		most = max(most, o.NSPerID, o.AtomicAddNS)
	}
	if len(ids) == 0 || r.Rate > 0 { // the pace of an open loop is given
		return Figure{}, nil
	}
	p := newPlot("An id beside a shared atomic add", "round")
	p.X.Min, p.X.Max = 0.5, float64(len(r.Rounds))+0.5
	p.X.Tick.Marker = whole(len(r.Rounds))
	p.Y.Min, p.Y.Max = 0, headroom(most/1e9)*1.15 // room for the legend
	p.Y.Tick.Marker = spans(p.Y.Max)
	for _, s := range []struct {
		name   string
		colour uint32
		points plotter.XYs
	}{{"an id", blue, ids}, {"an atomic add", grey, adds}} {
		curve, err := line(s.colour, s.points)
		if err != nil {
			return Figure{}, err
		}
		marks, err := dots(s.colour, s.points)
		if err != nil {
			return Figure{}, err
		}
		p.Add(curve, marks)
		p.Legend.Add(s.name, curve, marks)
	}
	return newFigure("rounds",
		fmt.Sprintf("%s for an id, %s times the %s of an atomic add; measured in turns.",
			bench.FormatSpan(r.NSPerID/1e9), number(math.Round(r.Ratio*1000)/1000),
			bench.FormatSpan(r.AtomicAddNS/1e9)), p)
}

func fill(r bench.Report) (Figure, error) {
	points, _ := overTime(r, func(s bench.Sample) float64 { return min(s.RingFill, 1) })
	if len(points) == 0 || r.RingSize == 0 {
		return Figure{}, nil
	}
	p := timePlot(r, "How full the ring was")
	marks, err := dots(blue, points) // no line: between two of them it was full and empty many times
	if err != nil {
		return Figure{}, err
	}
	marks.Radius = 1.6
	p.Add(marks)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1, percents()
	least := slices.MinFunc(points,
		func(a, b plotter.XY) int { return int(math.Copysign(1, a.Y-b.Y)) })
	return newFigure("fill",
		fmt.Sprintf("A ring of %s ids, %.0f %% full at the least when looked at; refilled %s times, "+
			"found empty by %s takes.",
			humanize.Comma(r.RingSize), 100*least.Y, humanize.Comma(r.Refills),
			humanize.Comma(r.RejectedTakes)), p)
}

func ahead(r bench.Report) (Figure, error) {
	points, most := overTime(r, func(s bench.Sample) float64 { return s.AheadSeconds })
	if len(points) == 0 || r.RingSize == 0 {
		return Figure{}, nil
	}
	p := timePlot(r, "How far ahead of the clock the ids are")
	curve, err := area(points)
	if err != nil {
		return Figure{}, err
	}
	p.Add(curve)
	p.Y.Min, p.Y.Max = 0, headroom(most)
	p.Y.Tick.Marker = spans(p.Y.Max)
	return newFigure("ahead",
		fmt.Sprintf("%s at the end. What a layout's ticks do not hold is borrowed from the future.",
			bench.FormatSpan(r.AheadSeconds)), p)
}
