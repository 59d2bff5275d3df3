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

// A figure is a chart and the text that goes with it.
type figure struct {
	Name    string // one lower-case word, such as throughput
	Caption string // what is to be seen, in numbers
	title   string
	svg     string // "": there is nothing to draw
}

// figuresOf draws throughput, latency, fill and ahead. Fill and ahead are about the ring, and
// left out if there is none; so is any figure without measurements.
func figuresOf(r run) ([]figure, error) {
	var figures []figure
	for _, draw := range []func(run) (figure, error){throughput, latency, fill, ahead} {
		f, err := draw(r)
		if err != nil {
			return nil, err
		}
		if f.svg != "" {
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// overTime are the samples as points.
func overTime(r run, value func(sample) float64) (points plotter.XYs) {
	for _, s := range r.Samples {
		points = append(points, plotter.XY{X: s.Seconds, Y: value(s)})
	}
	return points
}

// most is the largest value of points.
func most(points plotter.XYs) float64 {
	return slices.MaxFunc(points, func(a, b plotter.XY) int {
		return int(math.Copysign(1, a.Y-b.Y))
	}).Y
}

// scaleY divides the values of points.
func scaleY(points plotter.XYs, by float64) {
	for i := range points {
		points[i].Y /= by
	}
}

// timePlot is a plot whose x axis is the time under load.
func timePlot(r run, title string) *plot.Plot {
	p := newPlot(title)
	p.X.Label.Text = "seconds under load"
	p.X.Min, p.X.Max, p.Y.Min = 0, max(r.Seconds, 1e-9), 0
	return p
}

// addArea adds a line through points, with a tint below it.
func addArea(p *plot.Plot, points plotter.XYs) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color, l.Width, l.FillColor = rgb(blue), 1.2, rgb(tint)
	p.Add(l)
	p.Y.Max = max(1.12*most(points), 1e-9)
	return nil
}

func throughput(r run) (figure, error) {
	points := overTime(r, func(s sample) float64 { return s.IDsPerSecond })
	if len(points) == 0 {
		return figure{}, nil
	}
	top := most(points)
	scaled, prefix := humanize.ComputeSI(top)
	if scaled > 0 {
		scaleY(points, top/scaled)
	}
	p := timePlot(r, strings.TrimSuffix("Ids a second, in "+prefix, ", in "))
	if err := addArea(p, points); err != nil {
		return figure{}, err
	}
	caption := bench.FormatRate(r.IDsPerSecond) + " on average"
	if r.Rate > 0 {
		caption += ", asked for " + bench.FormatRate(r.Rate)
	}
	return newFigure("throughput", caption+".", p)
}

func latency(r run) (figure, error) {
	if r.LatencySamples < 2 { // one call makes no distribution
		return figure{}, nil
	}
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

// spanTicks are powers of ten, as times.
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

func fill(r run) (figure, error) {
	points := overTime(r, func(s sample) float64 { return 100 * min(s.RingFill, 1) })
	if len(points) == 0 || r.RingSize == 0 {
		return figure{}, nil
	}
	p := timePlot(r, "How full the ring was, in percent")
	// No line: between two of them it was full and empty many times.
	marks, err := plotter.NewScatter(points)
	if err != nil {
		return figure{}, err
	}
	marks.Color, marks.Radius = rgb(blue), 1.6
	p.Add(marks)
	p.Y.Max = 100
	return newFigure("fill", fmt.Sprintf("A ring of %s ids, found empty by %s takes.",
		humanize.Comma(r.RingSize), humanize.Comma(r.RejectedTakes)), p)
}

func ahead(r run) (figure, error) {
	points := overTime(r, func(s sample) float64 { return s.AheadSeconds })
	if len(points) == 0 || r.RingSize == 0 {
		return figure{}, nil
	}
	unit, seconds := "seconds", 1.0
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"years", 365.2425 * 86400}} {
		if most(points) >= 2*u.seconds {
			unit, seconds = u.name, u.seconds
		}
	}
	scaleY(points, seconds)
	p := timePlot(r, "How far ahead of the clock the ids are, in "+unit)
	if err := addArea(p, points); err != nil {
		return figure{}, err
	}
	return newFigure("ahead", bench.FormatSpan(r.AheadSeconds)+
		" at the end. What a layout's ticks do not hold is borrowed from the future.", p)
}
