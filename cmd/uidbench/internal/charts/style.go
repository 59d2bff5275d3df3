package charts

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Colours, as 0xRRGGBB; page.html has the same. Text in ink is legible on paper by the rules of
// WCAG AA.
const (
	paper = 0xffffff
	ink   = 0x333333
	faint = 0xdddddd
	blue  = 0x0b5fc4 // what the picture is about
	tint  = 0xd3e3f6 // below a blue line
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

// Sizes, in points.
const (
	figureWidth  = 380 // 320 pixels on a phone, so words of 12 points are 10 pixels high
	figureHeight = 250
	margin       = 8
	textSize     = 12
)

// newFigure draws p at the size that all figures of a page have.
func newFigure(name, caption string, p *plot.Plot) (figure, error) {
	c := vgsvg.New(figureWidth, figureHeight)
	canvas := draw.New(c)
	canvas.SetColor(rgb(paper))
	canvas.Fill(canvas.Rectangle.Path())
	p.Draw(draw.Crop(canvas, margin, -2*margin, margin, -margin))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return figure{}, fmt.Errorf("charts: drawing %s: %w", name, err)
	}
	// The font is not in the file, so name others that are as wide.
	svg := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;",
		"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
	return figure{Name: name, Caption: caption, title: p.Title.Text, svg: svg}, nil
}

// newPlot returns an empty plot with our fonts and colours, and lines across it.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = rgb(faint)
	p.Add(grid)
	for _, s := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		s.Font.Variant = "Sans"
		s.Font.Size = textSize
		s.Color = rgb(ink)
	}
	p.Title.Padding = 10
	p.X.Padding, p.Y.Padding, p.X.Label.Padding = 0, 0, 4
	p.X.LineStyle.Color, p.X.Tick.LineStyle.Color = rgb(ink), rgb(ink)
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0
	return p
}
