package charts

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/ringuid/ringuid/bench"
)

// A figure is a chart and the text that goes with it.
type figure struct {
	Name    string // one lower-case word, such as throughput
	Caption string // what the chart shows, in numbers
	title   string
	svg     string
}

// figuresOf draws throughput, latency, fill and ahead. Fill and ahead are about the ring, and
// are left out if there is none; so is any figure without measurements.
func figuresOf(r bench.Report) (figures []figure, err error) {
	for _, one := range []struct {
		draw     func(bench.Report) (figure, error)
		measured bool
	}{
		{throughput, len(r.Samples) > 0},
		{latency, r.LatencySamples > 1}, // one call makes no distribution
		{fill, len(r.Samples) > 0 && r.RingSize > 0},
		{ahead, len(r.Samples) > 0 && r.RingSize > 0},
	} {
		if !one.measured {
			continue
		}
		f, err := one.draw(r)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// overTime returns the samples as points.
func overTime(r bench.Report, value func(bench.Sample) float64) (points plotter.XYs) {
	for _, s := range r.Samples {
		points = append(points, plotter.XY{X: s.Seconds, Y: value(s)})
	}
	return points
}

// most returns the largest value of points.
func most(points plotter.XYs) float64 {
	_, _, _, top := plotter.XYRange(points)
	return top
}

// timePlot returns a plot whose x axis is the time under load.
func timePlot(r bench.Report, title string) *plot.Plot {
	p := newPlot(title)
	p.X.Label.Text = "seconds under load"
	p.X.Min, p.X.Max, p.Y.Min = 0, max(r.Seconds, 1e-9), 0
	return p
}

// area draws a line through points, whose values are in a unit, with a tint below it.
func area(r bench.Report, name, title, caption string, points plotter.XYs, unit float64) (figure,
	error) {
	for i := range points {
		points[i].Y /= unit
	}
	l, err := plotter.NewLine(points)
	if err != nil {
		return figure{}, err
	}
	l.Color, l.Width, l.FillColor = rgb(blue), 1.2, rgb(tint)
	p := timePlot(r, title)
	p.Add(l)
	p.Y.Max = max(1.12*most(points), 1e-9)
	return newFigure(name, caption, p)
}

// rates are the ids a second, averaged over a tenth of a second, or over a 20th of a shorter
// run: between two samples a burst may have found the ring full, and the next one empty.
func rates(r bench.Report) (points plotter.XYs) {
	width := min(0.1, r.Seconds/20)
	from, before, ids := 0.0, 0.0, 0.0
	for i, s := range r.Samples {
		ids += s.IDsPerSecond * (s.Seconds - before)
		before = s.Seconds
		if s.Seconds-from >= width && s.Seconds > from || i == len(r.Samples)-1 {
			points = append(points, plotter.XY{X: s.Seconds, Y: ids / max(s.Seconds-from, 1e-9)})
			from, ids = s.Seconds, 0
		}
	}
	return points
}

func throughput(r bench.Report) (figure, error) {
	points := rates(r)
	top := most(points)
	scaled, prefix := humanize.ComputeSI(top)
	unit := 1.0
	if scaled > 0 {
		unit = top / scaled
	}
	caption := bench.FormatRate(r.IDsPerSecond) + " on average"
	if r.Rate > 0 {
		caption += ", asked for " + bench.FormatRate(r.Rate)
	}
	return area(r, "throughput", strings.TrimSuffix("Ids a second, in "+prefix, ", in "), caption+".",
		points, unit)
}

func latency(r bench.Report) (figure, error) {
	var names, known []string
	var points plotter.XYs
	for _, key := range []string{"p50", "p90", "p99", "p999", "p9999", "max"} {
		ns, measured := r.Latency[key]
		if !measured {
			continue
		}
		name := strings.Replace(key, "p99", "p99.", 1) // p999 is p99.9
		name, seconds := strings.TrimSuffix(name, "."), float64(ns)/1e9
		names, known = append(names, name), append(known, name+" "+bench.FormatSpan(seconds))
		points = append(points, plotter.XY{X: float64(len(points)), Y: seconds})
	}
	p := newPlot("Latency of a call")
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return figure{}, err
	}
	line.Color, marks.Color = rgb(blue), rgb(blue)
	p.Add(line, marks)
	p.NominalX(names...)
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, spanTicks{}
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(points[0].Y)))
	p.Y.Max = math.Pow(10, math.Ceil(math.Log10(1.01*most(points))))
	return newFigure("latency", strings.Join(known, ", ")+".", p)
}

// spanTicks labels powers of ten as times.
type spanTicks struct{}

// Ticks implements plot.Ticker.
func (spanTicks) Ticks(low, high float64) []plot.Tick {
	ticks := plot.LogTicks{}.Ticks(low, high)
	for i := range ticks {
		if !ticks[i].IsMinor() {
			ticks[i].Label = bench.FormatSpan(ticks[i].Value)
		}
	}
	return ticks
}

func fill(r bench.Report) (figure, error) {
	points := overTime(r, func(s bench.Sample) float64 { return 100 * min(s.RingFill, 1) })
	p := timePlot(r, "How full the ring was, in percent")
	// No line: between two samples the ring was full and empty many times.
	marks, err := plotter.NewScatter(points)
	if err != nil {
		return figure{}, err
	}
	marks.Color, marks.Radius = rgb(blue), 1.6
	p.Add(marks)
	p.Y.Max = 100
	return newFigure("fill", fmt.Sprintf("A ring of %s ids, found empty by %s calls.",
		humanize.Comma(r.RingSize), humanize.Comma(r.RejectedTakes)), p)
}

func ahead(r bench.Report) (figure, error) {
	points := overTime(r, func(s bench.Sample) float64 { return s.AheadSeconds })
	unit, seconds := "seconds", 1.0
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"years", 365.2425 * 86400}} {
		if most(points) >= 2*u.seconds {
			unit, seconds = u.name, u.seconds
		}
	}
	return area(r, "ahead", "How far ahead of the clock the ids are, in "+unit,
		bench.FormatSpan(r.AheadSeconds)+
			" at the end: ids taken faster than the layout holds have times in the future.",
		points, seconds)
}
