package charts

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// drawCurve draws the rates along the axis that was varied, or the one rate.
func drawCurve(c draw.Canvas, r sweep.Report) error {
	axis := sweep.Axis{}
	if varied := r.Varied(); len(varied) > 0 {
		axis = varied[0]
	}
	p, err := curvePlot(r, axis)
	if err != nil {
		return err
	}
	p.Draw(draw.Crop(c, margin, -2*margin, margin, 0))
	return nil
}

// roomAbove leaves the legend a place above the curves, on a logarithmic scale.
const roomAbove = 3

// curvePlot begins at 0, or is on a logarithmic scale where quoted rates are beside
// ours that would else lie on the ground.
func curvePlot(r sweep.Report, axis sweep.Axis) (*plot.Plot, error) {
	p := newPlot("", axisTitle(axis))
	p.X.Min, p.X.Max = -0.5, max(float64(len(axis.Values)), 1)-0.5
	p.X.Tick.Marker = thinned(valueTicks(axis.Values, func(i int) int { return i }))
	ours, quoted := along(r, axis)
	low, high := extent(append(append(plotter.XYs{}, ours...), quoted...))
	if len(quoted) > 0 {
		p.Y.Scale = plot.LogScale{}
		p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(roomAbove*high)))
		p.Y.Tick.Marker = decades(p.Y.Min, p.Y.Max, bench.FormatRate)
	} else {
		p.Y.Min, p.Y.Max = 0, headroom(high)
		p.Y.Tick.Marker = rates(p.Y.Max)
	}
	if err := addCurve(p, blue, "here", ours, len(quoted) > 0); err != nil {
		return nil, err
	}
	return p, addCurve(p, grey, "quoted", quoted, len(quoted) > 0)
}

// labelRoom is what the labels below a curve have, beside those of its rates.
const labelRoom = curveWidth - 70

// thinned takes labels away where they would run into each other.
func thinned(ticks plot.ConstantTicks) plot.ConstantTicks {
	style, widest := textStyle(ink), vg.Length(0)
	for _, t := range ticks {
		widest = max(widest, style.Width(t.Label+"  "))
	}
	every := max(1, int(math.Ceil(float64(widest)*float64(len(ticks))/labelRoom)))
	for i := range ticks {
		if i%every != 0 {
			ticks[i].Label = ""
		}
	}
	return ticks
}

// along are the points, and what is quoted beside them, by their place on the axis.
func along(r sweep.Report, axis sweep.Axis) (ours, quoted plotter.XYs) {
	at := map[sweep.AxisValue]float64{}
	for i, v := range axis.Values {
		at[v] = float64(i)
	}
	for _, p := range r.Points {
		x := at[p.Value(axis.Name)]
		if p.Error == "" {
			ours = append(ours, plotter.XY{X: x, Y: p.IDsPerSecond})
		}
		if p.QuotedIDsPerSecond > 0 {
			quoted = append(quoted, plotter.XY{X: x, Y: p.QuotedIDsPerSecond})
		}
	}
	return ours, quoted
}

// extent is from the lowest to the highest.
func extent(points plotter.XYs) (low, high float64) {
	if len(points) == 0 {
		return 1, 1
	}
	_, _, low, high = plotter.XYRange(points)
	return low, high
}

// addCurve adds a line of dots, and says in the legend what it is.
func addCurve(p *plot.Plot, hex uint32, name string, points plotter.XYs, inLegend bool) error {
	if len(points) == 0 {
		return nil
	}
	l, err := line(hex, points)
	if err != nil {
		return err
	}
	d, err := dots(hex, points)
	if err != nil {
		return err
	}
	p.Add(l, d)
	if inLegend {
		p.Legend.Add(name, l, d)
	}
	return nil
}
