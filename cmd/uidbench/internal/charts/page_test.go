package charts

import (
	"bytes"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/browser"
)

// opened is a run's page in a browser.
func opened(t *testing.T, v browser.Viewport) *browser.Page {
	t.Helper()
	page, err := RunPage(report())
	require.NoError(t, err)
	page.Command = "uidbench --html 'my report.html' </script>"
	path := filepath.Join(t.TempDir(), "report.html")
	var b bytes.Buffer
	require.NoError(t, WriteHTML(&b, page))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return browser.Open(t, "file://"+filepath.ToSlash(path), v)
}

// visible says of each figure how large its picture is, and how many texts in it
// lie outside of it.
const visible = `Object.fromEntries([...document.querySelectorAll('figure')].map(f => {
  const svg = f.querySelector('svg'), box = svg.getBoundingClientRect()
  const outside = [...svg.querySelectorAll('text')].filter(t => {
    const b = t.getBoundingClientRect()
    return b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1
  }).map(t => t.textContent)
  return [f.id, {width: box.width, height: box.height, paths: svg.querySelectorAll('path').length, outside,
    font: Math.min(...[...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize) * Math.abs(t.getScreenCTM().a))), label: svg.getAttribute('aria-label')}]
}))`

type picture struct {
	Width, Height float64
	Paths         int
	Outside       []string // texts that are cut off
	Font          float64  // size of the smallest text, in CSS pixels
	Label         string
}

func TestAPageShowsEveryFigureOnADeskAndOnAPhone(t *testing.T) {
	p := opened(t, browser.Viewport{})
	for name, v := range map[string]browser.Viewport{
		"desk":           {Width: 1280, Height: 900},
		"desk, dark":     {Width: 1280, Height: 900, Dark: true},
		"phone":          {Width: 360, Height: 780},
		"phone, dark":    {Width: 360, Height: 780, Dark: true},
		"phone, at side": {Width: 780, Height: 360},
	} {
		t.Run(name, func(t *testing.T) {
			p.Resize(v)
			pictures := map[string]picture{}
			p.Eval(visible, &pictures)
			for _, name := range []string{"throughput", "latency", "rounds", "fill", "ahead", "life"} {
				f, ok := pictures[name]
				require.True(t, ok, "no figure %s", name)
				assert.Greater(t, f.Width, 300.0, name)
				assert.Greater(t, f.Height, 170.0, name)
				assert.Greater(t, f.Paths, 4, name)
				assert.Empty(t, f.Outside, name)
				assert.GreaterOrEqual(t, f.Font, 10.0, name)
				assert.NotEmpty(t, f.Label, name)
			}
			assert.Len(t, pictures, 6)

			var sideways bool
			p.Eval(`document.documentElement.scrollWidth > innerWidth`, &sideways)
			assert.False(t, sideways, "one would have to scroll to the side")
		})
	}
}

func TestAPageIsDarkWhereTheReaderWantsIt(t *testing.T) {
	p := opened(t, browser.Viewport{})
	colours := func() (all struct{ Page, Paper, Ink string }) {
		p.Eval(`(() => {
		  const style = (what, of) => getComputedStyle(document.querySelector(what))[of]
		  return {page: style('body', 'backgroundColor'), paper: style('figure svg path', 'fill'), ink: style('figure svg text', 'fill')}
		})()`, &all)
		return all
	}
	light := colours()
	p.Resize(browser.Viewport{Dark: true})
	dark := colours()
	assert.Equal(t, "rgb(255, 255, 255)", light.Paper)
	assert.NotEqual(t, light.Paper, dark.Paper)
	assert.NotEqual(t, light.Page, dark.Page)
	assert.NotEqual(t, light.Ink, dark.Ink)
}

func TestAPageStandsAlone(t *testing.T) {
	p := opened(t, browser.Viewport{})
	assert.Empty(t, p.Requests())
	assert.Empty(t, p.Errors())
	var scripts int
	p.Eval(`document.scripts.length`, &scripts)
	assert.Zero(t, scripts)
	assert.Contains(t, p.Text("#command"), "uidbench --html 'my report.html' </script>")
	assert.Contains(t, p.Text("main"), "Some <CPU>")
	assert.Contains(t, p.Text("header"), "every id was kept and is new")
}

// What an SVG of ours is made of has another colour on a page: none may be left.
func TestEveryColourOfAPictureIsOneOfThePages(t *testing.T) {
	figures, err := Run(report())
	require.NoError(t, err)
	for _, f := range figures {
		svg := string(inline(f))
		assert.NotRegexp(t, `#[0-9A-Fa-f]{6}`, svg, f.Name)
		assert.True(t, strings.HasPrefix(svg,
			`<svg role="img" aria-label="`+template.HTMLEscapeString(f.Title)+`"`), svg[:100])
	}
}
