package charts

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"time"
)

// A Page is a set of figures with what a reader has to know about them.
type Page struct {
	Title   string
	Summary string // one sentence
	Made    time.Time
	Facts   []Fact // few, shown large
	Figures []Figure
	Tables  []Table
	Command string // that makes such a page again, as typed in a shell
}

// Fact is a number to be shown large, and what it is.
type Fact struct{ Value, Name string }

// Table has two columns.
type Table struct {
	Title string
	Rows  [][2]string
}

//go:embed page.html
var pageHTML string

// WriteHTML writes a page as one self-contained file.
func WriteHTML(w io.Writer, p Page) error {
	t, err := template.New("page").Funcs(template.FuncMap{"inline": inline}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("charts: the page's template: %w", err)
	}
	return t.Execute(w, p)
}

// svgSize is what gives an SVG a size of its own. On a page it has the width that
// there is.
var svgSize = regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`)

// inline makes of an SVG file an element of a page.
func inline(f Figure) template.HTML {
	svg := string(f.SVG)
	svg = svg[max(strings.Index(svg, "<svg"), 0):] // without the declarations of a file
	title := template.HTMLEscapeString(f.Title)
	svg = svgSize.ReplaceAllString(svg, `<svg role="img" aria-label="`+title+`"`)
	// Our own drawing: nothing in it comes from outside but escaped text.
	return template.HTML(themed.Replace(svg))
}

// themed leaves the colours of a picture to the style of the page, which has others for a
// dark screen.
var themed = func() *strings.Replacer {
	var pairs []string
	for name, colour := range map[string]uint32{
		"paper": paper, "ink": ink, "faint": faint, "blue": blue, "tint": tint,
		"grey": grey, "orange": orange,
	} {
		for _, what := range []string{"fill:", "stroke:"} {
			pairs = append(pairs, fmt.Sprintf("%s#%06X", what, colour),
				fmt.Sprintf("%svar(--%s)", what, name))
		}
	}
	return strings.NewReplacer(pairs...)
}()
