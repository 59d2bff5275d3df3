package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// Sizes of the picture of a scale, in points.
const (
	scaleWidth  = 400 // as figureWidth: for a phone
	panelHeight = 250
	scaleMargin = 10
)

// Scale draws the report as three panels, one below the other. All have the same scale.
func Scale(r sweep.ScaleReport) (Figure, error) {
	head := wrapped(heading(r), textStyle(ink), scaleWidth-2*scaleMargin)
	top := 2*scaleMargin + textStyle(ink).Height(head)
	svg, err := render(scaleWidth, top+panelHeight*vg.Length(len(r.Axes)), func(c draw.Canvas) error { return drawScale(c, r, head, top) })
	if err != nil {
		return Figure{}, fmt.Errorf("charts: drawing a scale: %w", err)
	}
	return Figure{Name: "scale", Title: "As the work grows", Caption: heading(r), SVG: svg}, nil
}

func drawScale(c draw.Canvas, r sweep.ScaleReport, head string, top vg.Length) error {
	style := textStyle(ink)
	style.YAlign = draw.YTop
	c.FillText(style, vg.Point{X: c.Min.X + scaleMargin, Y: c.Max.Y - scaleMargin}, head)
	tiles := draw.Tiles{
		Rows: len(r.Axes), Cols: 1, PadY: 2 * scaleMargin,
		PadTop: top, PadBottom: scaleMargin, PadLeft: scaleMargin, PadRight: scaleMargin,
	}
	for i, axis := range r.Axes {
		p, err := panel(axis, highest(r))
		if err != nil {
			return err
		}
		tile := tiles.At(c, 0, i)
		p.Draw(draw.Crop(tile, 0, 0, 2*scaleMargin, 0))
		foot := textStyle(ink)
		foot.XAlign = draw.XCenter
		c.FillText(foot, vg.Point{X: tile.Center().X, Y: tile.Min.Y}, memoryText(axis))
	}
	return nil
}

func heading(r sweep.ScaleReport) string {
	text := fmt.Sprintf("Time per id, as a multiple of a shared atomic add (dashed): %s on %v.", r.Path(), r.Machine)
	if r.Repeats > 1 {
		text += fmt.Sprintf("\nDots are the medians of %d runs, grey bars reach from the lowest to the highest.", r.Repeats)
	}
	if r.Interrupted {
		text += " Interrupted: some runs are missing."
	}
	return text
}

// highest is where the scale of ratios ends.
func highest(r sweep.ScaleReport) float64 {
	most := 1.0 // the atomic add
	for _, axis := range r.Axes {
		for _, p := range axis.Points {
			most = max(most, p.HighestRatio)
		}
	}
	return most * 1.1
}

func panel(axis sweep.ScaleAxis, top float64) (*plot.Plot, error) {
	p := newPlot(axis.Title(), strings.ReplaceAll(axis.Name, "_", " "))
	low, high, ticks := scaleTicks(axis)
	p.X.Min, p.X.Max, p.X.Tick.Marker = math.Log10(low), math.Log10(high), logarithms(ticks)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, top, linear(top, number)
	if len(axis.Points) == 0 {
		return p, nil
	}
	return p, addPoints(p, axis)
}

// addPoints draws the medians, as a line of dots, and from the lowest to the
// highest of the runs an upright stroke.
func addPoints(p *plot.Plot, axis sweep.ScaleAxis) error {
	unity, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: 1}, {X: p.X.Max, Y: 1}})
	if err != nil {
		return err
	}
	unity.Color, unity.Dashes = rgb(ink), []vg.Length{3, 3}
	points := make(plotter.XYs, len(axis.Points))
	for i, q := range axis.Points {
		points[i] = plotter.XY{X: math.Log10(q.X(axis.Name)), Y: q.Ratio}
		spread, err := plotter.NewLine(plotter.XYs{{X: points[i].X, Y: q.LowestRatio}, {X: points[i].X, Y: q.HighestRatio}})
		if err != nil {
			return err
		}
		spread.Color, spread.Width = rgb(faint), 4
		p.Add(spread)
	}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, line.Width = rgb(blue), 1.2
	dots.Color, dots.Shape, dots.Radius = rgb(blue), draw.CircleGlyph{}, 3
	p.Add(unity, line, dots)
	return nil
}

// memoryText says how much memory there was, from the least to the most.
func memoryText(axis sweep.ScaleAxis) string {
	if len(axis.Points) == 0 {
		return "not measured"
	}
	var heap, process []int64
	for _, p := range axis.Points {
		heap, process = append(heap, p.HeapBytes), append(process, p.ProcessBytes)
	}
	return "heap " + span(heap) + ", process " + span(process)
}

func span(bytes []int64) string {
	const mb = 1e6
	return fmt.Sprintf("%.1f to %.1f MB", float64(slices.Min(bytes))/mb, float64(slices.Max(bytes))/mb)
}

// scaleTicks are where the points are, and labelled where there is room.
func scaleTicks(axis sweep.ScaleAxis) (low, high float64, ticks plot.ConstantTicks) {
	if len(axis.Points) == 0 {
		return 1, 10, nil
	}
	room, label := math.Sqrt2, func(x float64) string { return fmt.Sprint(x) }
	switch axis.Name {
	case sweep.AxisIDs:
		room, label = math.Sqrt(10), func(x float64) string { return strings.TrimSpace(humanize.SIWithDigits(x, 1, "")) }
	case sweep.AxisRing:
		label = binary
	}
	for i, p := range axis.Points {
		tick := plot.Tick{Value: p.X(axis.Name)}
		if len(axis.Points) <= 8 || i%2 == 0 {
			tick.Label = label(tick.Value)
		}
		ticks = append(ticks, tick)
	}
	return ticks[0].Value / room, ticks[len(ticks)-1].Value * room, ticks
}

// binary writes a size of 2^10 or more: 8 Ki, 16 Mi.
func binary(x float64) string {
	if x < 1<<20 {
		return fmt.Sprintf("%.0f Ki", x/(1<<10))
	}
	return fmt.Sprintf("%.0f Mi", x/(1<<20))
}
