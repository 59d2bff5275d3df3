package charts

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours, as 0xRRGGBB. There is one for each role, since on a dark screen each has
// another, which the page knows. Words of ink, grey and orange can be read on paper, as
// WCAG AA has it.
const (
	paper  = 0xffffff
	ink    = 0x333333
	faint  = 0xdddddd
	blue   = 0x0b5fc4 // what the picture is about
	tint   = 0xd3e3f6 // below a blue line
	grey   = 0x707070 // what it is compared with
	orange = 0xb45f00 // what should be noticed
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// Sizes, in points.
const (
	figureWidth  = 380 // on a phone, 320 pixels: so words of 12 points are 10 pixels high
	figureHeight = 250
	margin       = 8
	textSize     = 12
)

// A Figure is a chart and the text that goes with it.
type Figure struct {
	Name    string // one lower-case word, such as throughput
	Title   string
	Caption string // what is to be seen, with its figures
	SVG     []byte
}

// newFigure draws p at the size that all figures of a page have.
func newFigure(name, caption string, p *plot.Plot) (Figure, error) {
	c := vgsvg.New(figureWidth, figureHeight)
	canvas := draw.New(c)
	canvas.SetColor(rgb(paper))
	canvas.Fill(canvas.Rectangle.Path())
	p.Draw(draw.Crop(canvas, margin, -2*margin, margin, -margin))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return Figure{}, fmt.Errorf("charts: drawing %s: %w", name, err)
	}
	// The font is not in the file: name others that are as wide.
	svg := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;",
		"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
	return Figure{Name: name, Title: p.Title.Text, Caption: caption, SVG: []byte(svg)}, nil
}

// newPlot is an empty plot with our fonts and colours, and lines across it.
func newPlot(title, x string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = title, x
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = rgb(faint)
	p.Add(grid)
	for _, s := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		s.Font.Variant = "Sans"
		s.Font.Size = textSize
		s.Color = rgb(ink)
	}
	p.Title.TextStyle.Font.Size = 13
	p.Title.Padding = 10
	p.X.Padding, p.Y.Padding, p.X.Label.Padding = 0, 0, 4
	p.X.LineStyle.Color, p.X.Tick.LineStyle.Color = rgb(ink), rgb(ink)
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0
	p.Legend.Top, p.Legend.Padding = true, 3
	return p
}

// textStyle is that of words within a plot.
func textStyle(hex uint32) text.Style {
	return text.Style{
		Color:   rgb(hex),
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize},
		Handler: plot.DefaultTextHandler,
	}
}

// line is a line through points.
func line(hex uint32, points plotter.XYs) (*plotter.Line, error) {
	l, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	l.Color, l.Width = rgb(hex), 1.2
	return l, nil
}

// area is a line with a tint below it.
func area(points plotter.XYs) (*plotter.Line, error) {
	l, err := line(blue, points)
	if err != nil {
		return nil, err
	}
	l.FillColor = rgb(tint)
	return l, nil
}

// dots are circles at points.
func dots(hex uint32, points plotter.XYs) (*plotter.Scatter, error) {
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	s.Color, s.Shape, s.Radius = rgb(hex), draw.CircleGlyph{}, 2.5
	return s, nil
}

func fillBox(c draw.Canvas, hex uint32, left, bottom, right, top vg.Length) {
	c.FillPolygon(rgb(hex), []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top},
		{X: left, Y: top}})
}

// level is a dashed line across the plot. The legend says what it is: words beside it
// would lie over a curve.
type level struct{ at float64 }

func (level) style() draw.LineStyle {
	return draw.LineStyle{Color: rgb(grey), Width: 1, Dashes: []vg.Length{3, 3}}
}

// Plot implements plot.Plotter.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	c.StrokeLine2(l.style(), c.Min.X, y(l.at), c.Max.X, y(l.at))
}

// Thumbnail implements plot.Thumbnailer.
func (l level) Thumbnail(c *draw.Canvas) {
	c.StrokeLine2(l.style(), c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}
