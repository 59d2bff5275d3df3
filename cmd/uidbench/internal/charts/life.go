package charts

import (
	"fmt"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// life shows the layout's time as a bar: what has passed by itself, what this run
// has borrowed, and what is left.
func life(r bench.Report) (Figure, error) {
	layout, err := uid.ParseLayout(r.Layout)
	if err != nil {
		return Figure{}, fmt.Errorf("charts: the report's layout: %w", err)
	}
	layout.Epoch = r.Epoch
	// In seconds: a Duration ends after 292 years, a layout need not.
	end := float64(layout.End().Unix() - layout.Epoch.Unix())
	passed := float64(r.Started.Unix()-layout.Epoch.Unix()) / end
	b := bar{passed: passed, used: r.LifeUsed}

	p := newPlot("The layout's time", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.1, 1.1, 0, 1 // room for the dates
	p.X.Tick.Marker = plot.ConstantTicks{
		{Value: 0, Label: layout.Epoch.UTC().Format(time.DateOnly)},
		{Value: 0.5, Label: "50 %"},
		{Value: 1, Label: date(layout.End())},
	}
	p.X.LineStyle.Width = 0
	p.Y.Tick.Marker = plot.ConstantTicks{}
	p.Add(b)
	caption := fmt.Sprintf("%s has passed, this run used up %s, %s is left", percent(b.passed),
		percent(b.used), percent(b.left()))
	if r.LifeLeftSeconds > 0 {
		caption += fmt.Sprintf("; at this pace it would last another %s",
			bench.FormatSpan(r.LifeLeftSeconds))
	}
	return newFigure("life", caption+".", p)
}

// date leaves the days out of years that need five digits.
func date(t time.Time) string {
	if t.Year() > 9999 {
		return fmt.Sprintf("year %d", t.Year())
	}
	return t.UTC().Format(time.DateOnly)
}

// percent writes a part with the digits that matter.
func percent(part float64) string {
	switch p := 100 * part; {
	case p == 0 || p >= 1:
		return fmt.Sprintf("%.3g %%", p)
	case p < 1e-4:
		return "less than 0.0001 %"
	default:
		return fmt.Sprintf("%.2g %%", p)
	}
}

// bar has parts of 1.
type bar struct{ passed, used float64 }

func (b bar) left() float64 { return max(1-b.passed-b.used, 0) }

// leastBar is how wide a part is drawn at least, so that it can be seen.
const leastBar = 1.5

// Plot implements plot.Plotter.
func (b bar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	left, right := x(0), x(1)
	from := left
	for _, part := range []struct {
		name   string
		colour uint32
		size   float64
		line   float64 // of its words
	}{
		{"passed", grey, b.passed, 0.86},
		{"used up by this run", orange, b.used, 0.74},
		{"left", tint, b.left(), 0.62},
	} {
		to := from + x(part.size) - left
		if part.size > 0 {
			to = max(to, from+leastBar)
		}
		to = min(to, right)
		fillBox(c, part.colour, from, y(0.1), to, y(0.45))
		fillBox(c, part.colour, left, y(part.line), left+textSize, y(part.line)+textSize)
		c.FillText(textStyle(ink), vg.Point{X: left + 1.6*textSize, Y: y(part.line) + 1},
			part.name+", "+percent(part.size))
		from = to
	}
}
