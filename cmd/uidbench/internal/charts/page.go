package charts

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/ringuid/ringuid/bench"
)

//go:embed page.html
var pageHTML string

// WriteHTML writes the report of a run, which must have been made with bench.Config.Detail,
// as one self-contained file: its figures and its text.
func WriteHTML(w io.Writer, r bench.Report) error {
	figures, err := figuresOf(r)
	if err != nil {
		return err
	}
	life, err := lifeOf(r)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := bench.WriteText(&text, r); err != nil {
		return err
	}
	t, err := template.New("page").Funcs(template.FuncMap{"inline": inline}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("charts: the page's template: %w", err)
	}
	return t.Execute(w, map[string]any{
		"Title":   bench.FormatRate(r.IDsPerSecond) + " by a " + r.Generator + " generator",
		"Figures": figures,
		"Life":    life,
		"Report":  text.String(),
		"Started": r.Started.UTC().Format("2006-01-02 15:04:05 UTC"),
	})
}

// svgSize is what gives an SVG a size of its own. On a page it has the width that
// there is.
var svgSize = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)

// inline makes of an SVG file an element of a page.
func inline(f figure) template.HTML {
	svg := f.svg[max(strings.Index(f.svg, "<svg"), 0):] // without the declarations of a file
	title := template.HTMLEscapeString(f.title)
	// Our own drawing: nothing in it comes from outside.
	return template.HTML(svgSize.ReplaceAllString(svg, `<svg role="img" aria-label="`+title+`"`))
}
