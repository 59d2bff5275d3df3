package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
)

// The page has no script, loads nothing, and its content security policy forbids it to.
//
//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// writeHTML writes the report of a run, which must have been made with bench.Config.Detail, as
// one self-contained file: how the run went over time, and the report's text.
func writeHTML(w io.Writer, r bench.Report) error {
	var text strings.Builder
	_ = bench.WriteText(&text, r) // a Builder takes everything
	return page.Execute(w, map[string]any{
		"Title":   "Ids at " + bench.FormatRate(r.IDsPerSecond) + " by a " + r.Generator + " generator",
		"Figures": figures(r),
		"Seconds": bench.FormatSpan(r.Seconds),
		"Report":  text.String(),
		"Started": r.Started.UTC().Format("2006-01-02 15:04:05 UTC"),
	})
}

// A figure is a line over the time of a run. It is drawn 380 wide and 150 high.
type figure struct {
	Name, Title, Caption string
	Points               string         // of the line, as SVG reads them
	Top                  float64        // value; 0: the highest
	Labels               map[int]string // of values, by how far below the top they are
}

// figures draws what there are samples of. Without a ring there is only the throughput.
func figures(r bench.Report) (all []figure) {
	if len(r.Samples) == 0 {
		return nil
	}
	all = append(all, draw(r, figure{Name: "throughput", Title: "Ids a second",
		Caption: bench.FormatRate(r.IDsPerSecond) + " on average."},
		func(s bench.Sample) float64 { return s.IDsPerSecond }, bench.FormatRate))
	if r.RingSize == 0 {
		return all
	}
	all = append(all, draw(r, figure{Name: "fill", Title: "How full the ring was", Top: 100,
		Caption: fmt.Sprintf("A ring of %s ids, which fills when ids are taken fast. Calls that had "+
			"to wait: %s.", humanize.Comma(r.RingSize), humanize.Comma(r.RejectedTakes))},
		func(s bench.Sample) float64 { return 100 * min(s.RingFill, 1) },
		func(percent float64) string { return fmt.Sprintf("%.3g %%", percent) }))
	return append(all, draw(r, figure{Name: "ahead", Title: "How far ahead of the clock the ids are",
		Caption: "More than a tick, where ids are taken faster than the layout holds them, and in a " +
			"store's first minute."},
		func(s bench.Sample) float64 { return s.AheadSeconds }, bench.FormatSpan))
}

// draw adds to a figure the line of a value. A point is the mean of a tenth of a second, or of a
// 20th of a shorter run: between two samples the ring may have been empty and full again.
func draw(r bench.Report, f figure, value func(bench.Sample) float64,
	label func(float64) string) figure {
	type point struct{ seconds, value float64 }
	var points []point
	width, top := min(0.1, r.Seconds/20), f.Top
	from, before, sum := 0.0, 0.0, 0.0
	for i, s := range r.Samples {
		sum += value(s) * (s.Seconds - before)
		before = s.Seconds
		if s.Seconds-from >= width && s.Seconds > from || i == len(r.Samples)-1 {
			mean := sum / max(s.Seconds-from, 1e-9)
			points, top = append(points, point{s.Seconds, mean}), max(top, mean)
			from, sum = s.Seconds, 0
		}
	}
	for i, p := range points {
		if i == 0 { // its mean is from the start on
			f.Points = fmt.Sprintf("0,%.1f ", 150-150*p.value/max(top, 1e-9))
		}
		f.Points += fmt.Sprintf("%.1f,%.1f ", 380*p.seconds/max(r.Seconds, 1e-9),
			150-150*p.value/max(top, 1e-9))
	}
	f.Labels = map[int]string{0: label(top), 75: label(top / 2), 150: label(0)}
	return f
}
