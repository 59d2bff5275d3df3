// Package charts puts a report of package bench on an HTML page, with figures.
//
//	report, err := bench.Run(ctx, bench.Config{Generator: g, Detail: true})
//	err = charts.WriteHTML(file, report)
//
// A page is one file with the figures as SVG, the style as CSS, and no script. It loads nothing
// else, and its content security policy forbids it to. Each figure can be read on a phone,
// where the figures stand one below the other.
package charts

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

//go:embed page.html
var pageHTML string

// WriteHTML writes the report of a run, which must have been made with bench.Config.Detail,
// as one self-contained file: its figures and its text.
func WriteHTML(w io.Writer, r bench.Report) error {
	var text strings.Builder
	if err := bench.WriteText(&text, r); err != nil {
		return err
	}
	figures, err := figuresOf(r)
	if err != nil {
		return err
	}
	life, err := lifeOf(r)
	if err != nil {
		return err
	}
	t, err := template.New("page").Funcs(template.FuncMap{"inline": inline}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("charts: the page's template: %w", err)
	}
	return t.Execute(w, map[string]any{
		"Title":   "Ids at " + bench.FormatRate(r.IDsPerSecond) + " by a " + r.Generator + " generator",
		"Figures": figures,
		"Life":    life,
		"Report":  text.String(),
		"Started": r.Started.UTC().Format("2006-01-02 15:04:05 UTC"),
	})
}

// svgSize matches what gives an SVG a size of its own. On a page it takes the available width.
var svgSize = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)

// inline turns an SVG file into an element of a page.
func inline(f figure) template.HTML {
	svg := f.svg[max(strings.Index(f.svg, "<svg"), 0):] // without the declarations of a file
	title := template.HTMLEscapeString(f.title)
	// Our own drawing: nothing in it comes from outside.
	return template.HTML(svgSize.ReplaceAllString(svg, `<svg role="img" aria-label="`+title+`"`))
}

// life is the layout's time, which the page shows as a bar: what has passed by itself, what
// this run has borrowed, and what is left.
type life struct {
	Passed, Used float64 // percentages of the bar
	Begin, End   string
	Caption      string
}

// leastBar is the least width that a part is drawn with, so that it can be seen.
const leastBar = 0.5

func lifeOf(r bench.Report) (life, error) {
	layout, err := uid.ParseLayout(r.Layout)
	if err != nil {
		return life{}, fmt.Errorf("charts: the report's layout: %w", err)
	}
	layout.Epoch = r.Epoch
	end := layout.End()
	// In seconds: a Duration ends after 292 years, but a layout need not.
	whole := float64(end.Unix() - layout.Epoch.Unix())
	passed := 100 * float64(r.Started.Unix()-layout.Epoch.Unix()) / whole
	used := 100 * r.LifeUsed
	return life{
		Passed: passed, Used: max(used, leastBar),
		Begin: date(layout.Epoch), End: date(end),
		Caption: fmt.Sprintf("%.3g %% has passed (grey), this run used up %.3g %% (orange), "+
			"%.3g %% is left.", passed, used, max(100-passed-used, 0)),
	}, nil
}

// date formats a date, as the year alone if that has five digits.
func date(t time.Time) string {
	if t.Year() > 9999 {
		return fmt.Sprintf("year %d", t.Year())
	}
	return t.UTC().Format(time.DateOnly)
}
