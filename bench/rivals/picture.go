package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"math"
	"strconv"
)

// Sizes of the picture. On a phone 400 of them are some 340 pixels, so words of 12 are 10
// pixels high: that is why a name stands above its line, and not before it.
const (
	pictureWidth = 400
	pictureEdge  = 12
	headHeight   = 124 // of the title and the legend
	rowHeight    = 34
	axisHeight   = 44
)

//go:embed picture.svg
var pictureText string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureText))

// A drawing is what picture.svg is filled with.
type drawing struct {
	Width, Height, Edge, Top, Bottom int
	Rows                             []line
	Ticks                            []tick
}

// A line is a generator: where one goroutine is, and where all CPUs are.
type line struct {
	Name, Figures, Class string
	Y                    int
	One, All             float64
}

// From and To are the ends of the line between both.
func (l line) From() float64 { return min(l.One, l.All) }
func (l line) To() float64   { return max(l.One, l.All) }

// A tick is a power of ten, on a logarithmic axis.
type tick struct {
	X     float64
	Label string
	Add   bool // the atomic add itself
}

// picture draws the rows as an SVG that is as readable in the dark and on a phone: a line for
// each generator, the fastest on top.
func picture(rows []row) ([]byte, error) {
	low, high := bounds(rows)
	x := func(ratio float64) float64 {
		const room = pictureWidth - 2*pictureEdge
		return math.Round(10*(pictureEdge+room*math.Log(ratio/low)/math.Log(high/low))) / 10
	}
	d := drawing{
		Width: pictureWidth, Edge: pictureEdge,
		Top: headHeight, Bottom: headHeight + rowHeight*len(rows),
	}
	d.Height = d.Bottom + axisHeight
	for i, row := range rows {
		d.Rows = append(d.Rows, line{
			Name: row.name, Class: row.class(), Y: headHeight + rowHeight*i,
			Figures: three(row.one.ratio) + " · " + three(row.all.ratio),
			One:     x(row.one.ratio), All: x(row.all.ratio),
		})
	}
	for e := math.Ceil(math.Log10(low)); e <= math.Log10(high); e++ {
		ratio := math.Pow(10, e)
		d.Ticks = append(d.Ticks, tick{x(ratio), strconv.FormatFloat(ratio, 'f', -1, 64), ratio == 1})
	}
	var b bytes.Buffer
	err := pictureTemplate.Execute(&b, d)
	return b.Bytes(), err
}

// bounds are around all ratios, and around 1.
func bounds(rows []row) (low, high float64) {
	low, high = 1, 1
	for _, r := range rows {
		for _, ratio := range []float64{r.one.ratio, r.all.ratio} {
			if !math.IsNaN(ratio) {
				low, high = min(low, ratio), max(high, ratio)
			}
		}
	}
	return low * 0.8, high * 1.25
}

// class is how the row's marks look.
func (r row) class() string {
	switch {
	case r.isOurs():
		return "ours"
	case r.limit != "":
		return "limited"
	}
	return "rival"
}
