package charts

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// Sizes of the picture of a sweep, in points.
const (
	curveWidth  = 400 // as figureWidth: for a phone
	curveHeight = 320
	cellWidth   = 68
	cellHeight  = 26
	sideSpace   = 100 // beside the cells: labels
	aboveSpace  = 70  // above and below them: title and labels
	pageWidth   = 720 // that panels fill before they go on below
	headSpace   = 20  // above and below the head, together
)

// mostPanels of a sweep can be looked at.
const mostPanels = 24

// Sweep draws the rates of a sweep: along one axis as a line of dots, along two as
// a heat map with the rate in each cell, along more as a heat map for each
// combination of the others.
func Sweep(r sweep.Report) (Figure, error) {
	width, body := vg.Length(curveWidth), vg.Length(curveHeight)
	grids := r.Grids()
	grids = grids[:min(len(grids), mostPanels)]
	var tiles tiling
	if len(grids) > 0 {
		tiles = tilesFor(grids)
		width, body = max(tiles.width*vg.Length(tiles.columns), curveWidth), tiles.height*vg.Length(tiles.rows)
	}
	head := wrapped(sweepHeading(r), textStyle(ink), width-2*margin)
	top := headSpace + textStyle(ink).Height(head)
	svg, err := render(width, top+body, func(c draw.Canvas) error {
		writeHead(c, head)
		c = draw.Crop(c, 0, 0, 0, -top)
		if len(grids) > 0 {
			return drawHeat(c, r, grids, tiles)
		}
		return drawCurve(c, r)
	})
	if err != nil {
		return Figure{}, fmt.Errorf("charts: drawing a sweep: %w", err)
	}
	return Figure{Name: "sweep", Title: sweepTitle(r), Caption: sweepHeading(r), SVG: svg}, nil
}

func sweepTitle(r sweep.Report) string {
	if r.Experiment != "" {
		return "Ids a second: Baidu's experiment " + r.Experiment
	}
	return "Ids a second"
}

// sweepHeading says what was measured, in as many lines as that takes.
func sweepHeading(r sweep.Report) string {
	text := sweepTitle(r) + ": " + r.Fixed()
	if r.Fixed() == "" {
		text = sweepTitle(r)
	}
	runs := "One run"
	if r.Rounds > 1 {
		runs = fmt.Sprintf("The median of %d runs", r.Rounds)
	}
	text += fmt.Sprintf("\n%s of %s, on %v.", runs, bench.FormatSpan(r.Slice), r.Machine)
	if r.QuotedFrom != "" {
		text += " Quoted is " + r.QuotedFrom + "."
	}
	if r.Interrupted {
		text += " Interrupted: some are missing."
	}
	if grids := len(r.Grids()); grids > mostPanels {
		text += fmt.Sprintf("\nThe first %d of %d panels.", mostPanels, grids)
	}
	return text
}

func writeHead(c draw.Canvas, words string) {
	style := textStyle(ink)
	style.YAlign = draw.YTop
	c.FillText(style, vg.Point{X: c.Min.X + margin, Y: c.Max.Y - margin}, words)
}

// tiling is how panels of one size stand on the page.
type tiling struct {
	width, height vg.Length // of a panel
	columns, rows int
}

func tilesFor(grids []*sweep.Grid) tiling {
	t := tiling{
		width:  sideSpace + cellWidth*vg.Length(len(grids[0].Columns.Values)),
		height: aboveSpace + cellHeight*vg.Length(len(grids[0].Rows.Values)),
	}
	t.columns = max(min(len(grids), int(pageWidth/t.width)), 1)
	t.rows = (len(grids) + t.columns - 1) / t.columns
	return t
}

// drawHeat draws the panels from the upper left on.
func drawHeat(c draw.Canvas, r sweep.Report, grids []*sweep.Grid, t tiling) error {
	for i, row := range slices.Collect(slices.Chunk(grids, t.columns)) {
		top := c.Max.Y - t.height*vg.Length(i)
		for j, g := range row {
			left := c.Min.X + t.width*vg.Length(j)
			tile := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left + margin, Y: top - t.height + margin},
				Max: vg.Point{X: left + t.width - margin, Y: top},
			}}
			heatPlot(g, r.Rates()).Draw(tile)
		}
	}
	return nil
}
