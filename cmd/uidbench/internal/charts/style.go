package charts

import (
	"bytes"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours, as 0xRRGGBB. A page replaces them by its own (see pageColours), so there
// is one for each role.
const (
	paper  = 0xffffff
	ink    = 0x333333
	faint  = 0xdddddd
	blue   = 0x0b5fc4 // what the picture is about
	tint   = 0xd3e3f6 // below a blue line
	grey   = 0x777777 // what it is compared with
	orange = 0xd07000 // what should be noticed
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// Sizes, in points.
const (
	figureWidth  = 430
	figureHeight = 250
	margin       = 8
	textSize     = 10
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
	svg, err := render(figureWidth, figureHeight, func(c draw.Canvas) error {
		p.Draw(draw.Crop(c, margin, -2*margin, margin, -margin))
		return nil
	})
	if err != nil {
		return Figure{}, fmt.Errorf("charts: drawing %s: %w", name, err)
	}
	return Figure{Name: name, Title: p.Title.Text, Caption: caption, SVG: svg}, nil
}

// render makes an SVG of so many points, on white.
func render(width, height vg.Length, paint func(draw.Canvas) error) ([]byte, error) {
	c := vgsvg.New(width, height)
	canvas := draw.New(c)
	canvas.SetColor(rgb(paper))
	canvas.Fill(canvas.Rectangle.Path())
	if err := paint(canvas); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	// The font is not in the file: name others that are as wide.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), nil
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
	p.Title.TextStyle.Font.Size = 12
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
	c.FillPolygon(rgb(hex), []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: top}, {X: left, Y: top}})
}

// level is a dashed line across the plot, with a word above its right end.
type level struct {
	at   float64
	text string
}

// Plot implements plot.Plotter.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	style := draw.LineStyle{Color: rgb(grey), Width: 1, Dashes: []vg.Length{3, 3}}
	c.StrokeLine2(style, c.Min.X, y(l.at), c.Max.X, y(l.at))
	words := textStyle(grey)
	words.XAlign = draw.XRight
	fillBox(c, paper, c.Max.X-words.Width(l.text)-2, y(l.at)+1, c.Max.X, y(l.at)+2+words.Height(l.text))
	c.FillText(words, vg.Point{X: c.Max.X, Y: y(l.at) + 3}, l.text)
}
