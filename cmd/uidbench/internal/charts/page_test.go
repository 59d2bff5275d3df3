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
)

// opened is a run's page in a browser.
func opened(t *testing.T) *shown {
	t.Helper()
	page, err := RunPage(report())
	require.NoError(t, err)
	page.Command = "uidbench --html 'my report.html' </script>"
	path := filepath.Join(t.TempDir(), "report.html")
	var b bytes.Buffer
	require.NoError(t, WriteHTML(&b, page))
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	return show(t, "file://"+filepath.ToSlash(path))
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
	p := opened(t)
	for name, v := range map[string]viewport{
		"desk":           {Width: 1280, Height: 900},
		"desk, dark":     {Width: 1280, Height: 900, Dark: true},
		"phone":          {Width: 360, Height: 780},
		"phone, dark":    {Width: 360, Height: 780, Dark: true},
		"phone, at side": {Width: 780, Height: 360},
	} {
		t.Run(name, func(t *testing.T) {
			p.resize(v)
			pictures := map[string]picture{}
			p.eval(visible, &pictures)
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
			p.eval(`document.documentElement.scrollWidth > innerWidth`, &sideways)
			assert.False(t, sideways, "one would have to scroll to the side")
		})
	}
}

func TestAPageIsDarkWhereTheReaderWantsIt(t *testing.T) {
	p := opened(t)
	colours := func() (all struct{ Page, Paper, Ink string }) {
		p.eval(`(() => {
		  const style = (what, of) => getComputedStyle(document.querySelector(what))[of]
		  return {page: style('body', 'backgroundColor'), paper: style('figure svg path', 'fill'), ink: style('figure svg text', 'fill')}
		})()`, &all)
		return all
	}
	light := colours()
	p.resize(viewport{Width: 1280, Height: 800, Dark: true})
	dark := colours()
	assert.Equal(t, "rgb(255, 255, 255)", light.Paper)
	assert.NotEqual(t, light.Paper, dark.Paper)
	assert.NotEqual(t, light.Page, dark.Page)
	assert.NotEqual(t, light.Ink, dark.Ink)
}

func TestAPageStandsAlone(t *testing.T) {
	p := opened(t)
	requests, errors := p.asksAndFails()
	assert.Empty(t, requests)
	assert.Empty(t, errors)
	var scripts int
	p.eval(`document.scripts.length`, &scripts)
	assert.Zero(t, scripts)
	assert.Contains(t, p.text("#command"), "uidbench --html 'my report.html' </script>")
	assert.Contains(t, p.text("main"), "Some <CPU>")
	assert.Contains(t, p.text("header"), "every id was kept and is new")
}

func TestAPageThatAsksForAnythingIsFoundOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(path, []byte(`<!doctype html><title>t</title>
		<style>@import url(https://import.example/a.css)</style>
		<img src="https://image.example/a.png">
		<script src="https://script.example/a.js"></script>
		<iframe srcdoc="<img src=https://inside.example/>"></iframe>
		<script>console.error("it broke:", 7); nobody.catches()</script>`), 0o600))
	requests, errors := show(t, "file://"+filepath.ToSlash(path)).asksAndFails()
	assert.ElementsMatch(t, []string{"https://import.example/a.css", "https://image.example/a.png",
		"https://script.example/a.js", "https://inside.example/"}, requests)
	all := strings.Join(errors, "\n")
	assert.Contains(t, all, "console.error")
	assert.Contains(t, all, "nobody is not defined")
	assert.Contains(t, all, "ERR_NAME_NOT_RESOLVED https://image.example/a.png")
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
