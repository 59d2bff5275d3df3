package charts

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// heats are the colours of cells from slow to fast: the darker, the faster. On a dark
// screen it is the brighter, the faster. The words on each can be read, as WCAG AA has it.
var (
	heats     = [...]uint32{0xeef4fb, 0xd3e4f7, 0xa9caee, 0x6ea3de, 0x2a72c4, 0x094a9c}
	darkHeats = [...]uint32{0x1f2833, 0x24405e, 0x2a5078, 0x2f6093, 0x5c9fe6, 0x8cc2ff}
)

// darkFrom is the first of heats that needs light words on it.
const darkFrom = 4

// heatPlot is a grid with its first row on top.
func heatPlot(g *sweep.Grid, rates sweep.RateRange) *plot.Plot {
	p := newPlot(g.Title(), axisTitle(g.Columns))
	p.Title.TextStyle.Font.Size = textSize
	p.Title.Padding = 4
	p.Y.Label.Text = g.Rows.Title()
	p.Y.Label.TextStyle.Font = p.X.Label.TextStyle.Font
	p.Y.Label.TextStyle.Color = rgb(ink)
	p.X.LineStyle.Width, p.X.Tick.LineStyle.Width, p.X.Tick.Length = 0, 0, 0
	p.X.Min, p.X.Max = -0.5, float64(len(g.Columns.Values))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(g.Rows.Values))-0.5
	p.X.Tick.Marker = valueTicks(g.Columns.Values, func(i int) int { return i })
	p.Y.Tick.Marker = valueTicks(g.Rows.Values, func(i int) int { return len(g.Rows.Values) - 1 - i })
	p.Add(heat{g, rates})
	return p
}

// axisTitle says what the numbers of a layout are, where there is room.
func axisTitle(a sweep.Axis) string {
	if a.Name == sweep.AxisLayout {
		return "layout: bits of time/worker/sequence"
	}
	return a.Title()
}

// valueTicks are ticks with values as they are called, at the places that at says.
func valueTicks(values []sweep.AxisValue, at func(i int) int) (ticks plot.ConstantTicks) {
	for i, v := range values {
		ticks = append(ticks, plot.Tick{Value: float64(at(i)), Label: string(v)})
	}
	return ticks
}

// heat is the cells of a grid.
type heat struct {
	*sweep.Grid
	rates sweep.RateRange
}

// gap is between cells, in points.
const gap = 1

// Plot implements plot.Plotter.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, row := range h.Rows.Values {
		at := float64(len(h.Rows.Values) - 1 - i)
		for j, column := range h.Columns.Values {
			colour, words, text := h.cell(h.At(row, column))
			fillBox(c, colour, x(float64(j)-0.5)+gap, y(at-0.5)+gap, x(float64(j)+0.5)-gap, y(at+0.5)-gap)
			style := textStyle(words)
			style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
			c.FillText(style, vg.Point{X: x(float64(j)), Y: y(at)}, text)
		}
	}
}

// cell is a cell's colour, and what is written in it in which colour.
func (h heat) cell(p sweep.Point, measured bool) (colour, words uint32, text string) {
	switch {
	case !measured:
		return paper, grey, "–"
	case p.Error != "":
		return paper, orange, "failed"
	}
	step := h.rates.Step(p.IDsPerSecond, len(heats))
	words = ink
	if step >= darkFrom {
		words = paper
	}
	return heats[step], words, bench.FormatRate(p.IDsPerSecond)
}
