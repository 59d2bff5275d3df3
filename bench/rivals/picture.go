package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"math"
	"slices"
	"strconv"
)

// Sizes of the picture. On a phone 400 of them are some 340 pixels, so words of 12 are 10
// pixels high: that is why a name stands above its line, and not before it.
const (
	pictureWidth = 400
	pictureEdge  = 12
	headHeight   = 144 // of the title and the legend
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
	One, All             float64 // 0: not known
}

// From and To are the ends of the line between both.
func (l line) From() float64 { return min(l.first(), l.last()) }
func (l line) To() float64   { return max(l.first(), l.last()) }

func (l line) first() float64 {
	if l.One > 0 {
		return l.One
	}
	return l.All
}

func (l line) last() float64 {
	if l.All > 0 {
		return l.All
	}
	return l.One
}

// A tick is a power of ten, on a logarithmic axis.
type tick struct {
	X     float64
	Label string
	Add   bool // the atomic add itself
}

// picture draws the report as an SVG that is as readable in the dark and on a phone: a
// line for each generator, the fastest on top.
func picture(r report) ([]byte, error) {
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(r row) bool { return r.One.Ratio == 0 && r.All.Ratio == 0 })
	low, high := bounds(rows)
	x := func(ratio float64) float64 {
		if ratio == 0 {
			return 0
		}
		const room = pictureWidth - 2*pictureEdge
		return math.Round(10*(pictureEdge+room*math.Log(ratio/low)/math.Log(high/low))) / 10
	}
	d := drawing{Width: pictureWidth, Edge: pictureEdge, Top: headHeight, Bottom: headHeight + rowHeight*len(rows)}
	d.Height = d.Bottom + axisHeight
	for i, row := range rows {
		d.Rows = append(d.Rows, line{
			Name: row.title(), Class: row.class(), Y: headHeight + rowHeight*i,
			Figures: row.One.ratio(row.Quoted) + " · " + row.All.ratio(row.Quoted),
			One:     x(row.One.Ratio), All: x(row.All.Ratio),
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
		for _, ratio := range []float64{r.One.Ratio, r.All.Ratio} {
			if ratio > 0 {
				low, high = min(low, ratio), max(high, ratio)
			}
		}
	}
	return low * 0.8, high * 1.25
}

// class is how the row's marks look.
func (r row) class() string {
	class := "rival"
	switch {
	case r.Ours:
		class = "ours"
	case r.Limit != "":
		class = "limited"
	}
	if r.Quoted {
		class += " quoted"
	}
	return class
}
