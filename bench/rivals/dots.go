package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	textSize = 10
	markSize = 3.6 // a mark's radius
)

// Colours, readable beside each other and on white.
const (
	ink    = 0x333333
	faint  = 0xdddddd
	blue   = 0x0b5fc4 // this project
	grey   = 0x777777 // rivals
	orange = 0xd07000 // rivals held back by their own limit
)

func rgb(hex uint32) color.Color {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// dots draws, for each row, a circle where one goroutine is and a triangle where
// all CPUs are, hollow ones for a quoted row, and writes both ratios beside them.
type dots struct {
	rows  []row
	lines []plot.Tick // where each row is
}

// Plot implements plot.Plotter.
func (d dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		style := line(faint, 0.5)
		if tick.Value == 1 { // the atomic add itself
			style = line(ink, 1)
		}
		c.StrokeLine2(style, x(tick.Value), c.Min.Y, x(tick.Value), c.Max.Y)
	}
	for i, row := range d.rows {
		at := y(d.lines[i].Value)
		ratios := row.ratios()
		if len(ratios) == 0 {
			continue
		}
		first, last := x(ratios[0]), x(ratios[len(ratios)-1])
		c.StrokeLine2(line(faint, 0.5), c.Min.X, at, min(first, last), at)
		c.StrokeLine2(line(row.colour(), 1.2), first, at, last, at)
		if row.One.Ratio > 0 {
			c.DrawGlyph(row.mark(false), vg.Point{X: x(row.One.Ratio), Y: at})
		}
		if row.All.Ratio > 0 {
			c.DrawGlyph(row.mark(true), vg.Point{X: x(row.All.Ratio), Y: at})
		}
		c.FillText(label(row.colour()), vg.Point{X: max(first, last) + 2.2*markSize, Y: at + 1},
			row.One.ratio(row.Quoted)+" · "+row.All.ratio(row.Quoted))
	}
}

func line(hex uint32, width vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: rgb(hex), Width: width}
}

func label(hex uint32) text.Style {
	return text.Style{
		Color:   rgb(hex),
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize - 1},
		YAlign:  draw.YCenter,
		Handler: plot.DefaultTextHandler,
	}
}

// ratios are those of a row that are known.
func (r row) ratios() (known []float64) {
	for _, ratio := range []float64{r.One.Ratio, r.All.Ratio} {
		if ratio > 0 {
			known = append(known, ratio)
		}
	}
	return known
}

func (r row) colour() uint32 {
	switch {
	case r.Ours:
		return blue
	case r.Limit != "":
		return orange
	}
	return grey
}

func (r row) mark(all bool) draw.GlyphStyle {
	s := draw.GlyphStyle{Color: rgb(r.colour()), Radius: markSize}
	switch {
	case all && r.Quoted:
		s.Shape = draw.TriangleGlyph{}
	case all:
		s.Shape = draw.PyramidGlyph{}
	case r.Quoted:
		s.Shape = draw.RingGlyph{}
	default:
		s.Shape = draw.CircleGlyph{}
	}
	return s
}

// legendRows is how many rows a legend takes, its longest form.
const legendRows = 7

// addLegend explains the marks that are there.
func addLegend(l *plot.Legend, rows []row) {
	l.Add("one goroutine", thumb{row{}.mark(false)})
	l.Add("all CPUs", thumb{row{}.mark(true)})
	for _, kind := range []struct {
		text string
		like row
		is   func(row) bool
	}{
		{"this project", row{Ours: true}, func(r row) bool { return r.Ours }},
		{"held back by its own rate limit", row{Limit: "some"}, func(r row) bool { return r.Limit != "" }},
		{"quoted, from another run", row{Quoted: true}, func(r row) bool { return r.Quoted }},
	} {
		for _, r := range rows {
			if kind.is(r) {
				l.Add(kind.text, thumb{kind.like.mark(false)})
				break
			}
		}
	}
}

// thumb is a mark in the legend.
type thumb struct{ draw.GlyphStyle }

// Thumbnail implements plot.Thumbnailer.
func (t thumb) Thumbnail(c *draw.Canvas) { c.DrawGlyph(t.GlyphStyle, c.Center()) }
