package sweep

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// Grid has the points along two axes of a sweep, with the other axes fixed.
type Grid struct {
	Rows, Columns Axis
	Others        []Axis // each with its value here alone

	points map[[2]AxisValue]Point
}

// At returns the point in a row and a column, if it was measured or failed.
func (g *Grid) At(row, column AxisValue) (p Point, ok bool) {
	p, ok = g.points[[2]AxisValue{row, column}]
	return p, ok
}

// Title says which values are fixed, "" if nothing else was varied.
func (g *Grid) Title() string {
	var all []string
	for _, a := range g.Others {
		all = append(all, a.Title()+" "+string(a.Values[0]))
	}
	return strings.Join(all, ", ")
}

// Grids puts the points along the first two axes that were varied into grids, one for
// each combination of the other axes; none if fewer than two were varied. The longer axis
// goes down the page.
func (r Report) Grids() (grids []*Grid) {
	varied := r.Varied()
	if len(varied) < 2 {
		return nil
	}
	rows, columns := varied[0], varied[1]
	if len(columns.Values) > len(rows.Values) {
		rows, columns = columns, rows
	}
	byTitle := map[string]*Grid{}
	for _, p := range r.Points {
		g := &Grid{Rows: rows, Columns: columns, points: map[[2]AxisValue]Point{}}
		for _, a := range varied[2:] {
			g.Others = append(g.Others, Axis{a.Name, []AxisValue{p.Value(a.Name)}})
		}
		if same, ok := byTitle[g.Title()]; ok {
			g = same
		} else {
			byTitle[g.Title()] = g
			grids = append(grids, g)
		}
		g.points[[2]AxisValue{p.Value(rows.Name), p.Value(columns.Name)}] = p
	}
	return grids
}

// RateRange is from the slowest to the fastest combination of a sweep, in ids a
// second; both are 0 when nothing was measured.
type RateRange struct{ Slowest, Fastest float64 }

// Rates returns the range of the rates that were measured, without quoted ones.
func (r Report) Rates() (all RateRange) {
	for _, p := range r.Points {
		if rate := p.IDsPerSecond; rate > 0 {
			if all.Slowest == 0 || rate < all.Slowest {
				all.Slowest = rate
			}
			all.Fastest = max(all.Fastest, rate)
		}
	}
	return all
}

// Step says in which of n steps from slow to fast a rate lies, 0 to n-1. All steps are
// the same factor, so twice as fast is the same distance everywhere. When all rates are
// equal, all are in the last step.
func (r RateRange) Step(rate float64, n int) int {
	if r.Fastest <= r.Slowest {
		return n - 1
	}
	const slack = 1e-9 // for the steps' own limits
	part := math.Log(rate/r.Slowest) / math.Log(r.Fastest/r.Slowest)
	return min(int(part*float64(n)+slack), n-1)
}

// From returns the lowest rate of a step.
func (r RateRange) From(step, n int) float64 {
	return r.Slowest * math.Pow(r.Fastest/r.Slowest, float64(step)/float64(n))
}

// shades tell rates apart without colour.
var shades = [...]string{"░", "▒", "▓", "█"}

// mostGrids of a report are worth reading on a terminal.
const mostGrids = 12

func writeGrids(b *strings.Builder, r Report) {
	grids, rates := r.Grids(), r.Rates()
	if len(grids) == 0 || rates.Fastest == 0 {
		return
	}
	var legend []string
	for i, shade := range shades {
		legend = append(legend, shade+" from "+bench.FormatRate(rates.From(i, len(shades))))
	}
	fmt.Fprintf(b, "\nids a second: %s\n", strings.Join(legend, ", "))
	for i, g := range grids {
		if i == mostGrids {
			fmt.Fprintf(b, "\nand %s more\n", human.Count(int64(len(grids)-i), "such grid"))
			break
		}
		g.write(b, rates)
	}
}

func (g *Grid) write(b *strings.Builder, rates RateRange) {
	fmt.Fprintf(b, "\n%s down, %s across", g.Rows.Title(), g.Columns.Title())
	if title := g.Title(); title != "" {
		b.WriteString(": " + title)
	}
	b.WriteString("\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, x := range g.Columns.Values {
		fmt.Fprintf(t, "\t%s", x)
	}
	fmt.Fprintln(t, "\t")
	for _, y := range g.Rows.Values {
		fmt.Fprint(t, y)
		for _, x := range g.Columns.Values {
			p, ok := g.At(y, x)
			fmt.Fprintf(t, "\t%s", gridCell(p, ok, rates))
		}
		fmt.Fprintln(t, "\t")
	}
	t.Flush() // into a strings.Builder: cannot fail
}

func gridCell(p Point, measured bool, rates RateRange) string {
	switch {
	case !measured:
		return "-"
	case p.Error != "":
		return "failed"
	}
	return bench.FormatRate(p.IDsPerSecond) + " " + shades[rates.Step(p.IDsPerSecond, len(shades))]
}
