package main

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Sizes of the picture, in points.
const (
	pictureWidth = 800
	rowHeight    = 18
	margin       = 8
	frame        = 70 + 2*margin // of title and axis
)

// picture draws the report as an SVG, on white, so that it reads the same on a
// light page and on a dark one.
func picture(r report) ([]byte, error) {
	p, height := chart(r)
	c := vgsvg.New(pictureWidth, height)
	p.Draw(draw.Crop(draw.New(c), margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	// The font is not in the file: name others that are as wide.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")), nil
}

// chart has a line for each generator, the fastest on top, and says how high it
// wants to be.
func chart(r report) (p *plot.Plot, height vg.Length) {
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(r row) bool { return r.One.Ratio == 0 && r.All.Ratio == 0 })
	p = plot.New()
	p.Title.Text = "Time per id, as a multiple of a shared atomic add"
	p.X.Label.Text = "logarithmic, less is faster; figures: one goroutine · all CPUs"
	p.X.Min, p.X.Max = bounds(rows)
	p.X.Scale = plot.LogScale{}
	p.X.Tick.Marker = decades(p.X.Min, p.X.Max)
	p.Y.Min, p.Y.Max = -0.6, float64(len(rows))-0.4
	names := make(plot.ConstantTicks, len(rows))
	for i, row := range rows {
		names[i] = plot.Tick{Value: float64(len(rows) - 1 - i), Label: row.title()}
	}
	p.Y.Tick.Marker = names
	p.Add(dots{rows, names})
	addLegend(&p.Legend, rows)
	setStyle(p)
	return p, vg.Length(frame + rowHeight*max(len(rows), legendRows))
}

// bounds are around all ratios, with room for the last one's text.
func bounds(rows []row) (low, high float64) {
	low, high = 1, 1
	for _, r := range rows {
		for _, ratio := range r.ratios() {
			low, high = min(low, ratio), max(high, ratio)
		}
	}
	return low * 0.6, high * 13
}

func decades(low, high float64) (ticks plot.ConstantTicks) {
	for e := math.Ceil(math.Log10(low)); e <= math.Log10(high); e++ {
		x := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'f', -1, 64)})
	}
	return ticks
}

// setStyle sets fonts and colours.
func setStyle(p *plot.Plot) {
	for _, s := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		s.Font.Variant = "Sans"
		s.Font.Size = textSize
		s.Color = rgb(ink)
	}
	p.Title.TextStyle.Font.Size = 14
	p.Title.Padding = 10
	p.X.LineStyle.Color, p.X.Tick.LineStyle.Color = rgb(faint), rgb(faint)
	p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width, p.Y.Tick.Length = 0, 0, 0
	p.Legend.Top = true
	p.Legend.Padding = 3
	p.Legend.XOffs, p.Legend.YOffs = -4, -6
}
