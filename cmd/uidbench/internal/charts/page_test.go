package charts

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/worker"
)

// report is one of a run that went well.
func report() bench.Report {
	var none int64
	r := bench.Report{
		Started: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Generator: "cached", Mode: "single",
		Goroutines: 2,
		Layout:     "28/22/13", Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		WorkerID: 7, Class: worker.NeverReused, Store: "mysql://uid@db.example.com/<uid>",
		Round:        bench.Round{IDs: 500_000_000, Seconds: 5, NSPerID: 10, AtomicAddNS: 8},
		IDsPerSecond: 1e8, Ratio: 1.25,
		RingSize: 65536, RejectedTakes: 42, AheadSeconds: 61_000, LifeUsed: 0.00023,
		Latency: bench.Latency{"p50": 40, "p90": 41, "p99": 50, "p999": 700, "p9999": 4000,
			"max": 2_500_000},
		LatencySamples: 100_000, Duplicates: &none, OrderViolations: &none,
	}
	for i := 1; i <= 10; i++ {
		r.Samples = append(r.Samples, bench.Sample{
			Seconds: 0.5 * float64(i), IDsPerSecond: 1e8, RingFill: 0.6, AheadSeconds: 6100 * float64(i),
		})
	}
	return r
}

// opened is a run's page in a browser.
func opened(t *testing.T) *shown {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	var b bytes.Buffer
	require.NoError(t, WriteHTML(&b, report()))
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
  return [f.id, {width: box.width, height: box.height, shapes: svg.querySelectorAll('path, rect').length, outside,
    font: Math.min(...[...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize) * Math.abs(t.getScreenCTM().a))), label: svg.getAttribute('aria-label')}]
}))`

type picture struct {
	Width, Height float64
	Shapes        int
	Outside       []string // texts that are cut off
	Font          float64  // size of the smallest text, in CSS pixels
	Label         string
}

func TestAPageShowsEveryFigureOnADeskAndOnAPhone(t *testing.T) {
	p := opened(t)
	for name, v := range map[string]viewport{
		"desk":  {Width: 1280, Height: 900},
		"phone": {Width: 360, Height: 780},
	} {
		t.Run(name, func(t *testing.T) {
			p.resize(v)
			pictures := map[string]picture{}
			p.eval(visible, &pictures)
			for _, name := range []string{"throughput", "latency", "fill", "ahead", "life"} {
				f, ok := pictures[name]
				require.True(t, ok, "no figure %s", name)
				assert.Greater(t, f.Width, 300.0, name)
				assert.Greater(t, f.Height, 70.0, name)
				assert.GreaterOrEqual(t, f.Shapes, 3, name)
				assert.Empty(t, f.Outside, name)
				assert.GreaterOrEqual(t, f.Font, 10.0, name)
				assert.NotEmpty(t, f.Label, name)
			}
			assert.Len(t, pictures, 5)

			var sideways bool
			p.eval(`document.documentElement.scrollWidth > innerWidth`, &sideways)
			assert.False(t, sideways, "one would have to scroll to the side")
		})
	}
}

func TestAPageStandsAlone(t *testing.T) {
	p := opened(t)
	requests, errors := p.asksAndFails()
	assert.Empty(t, requests)
	assert.Empty(t, errors)
	var scripts int
	p.eval(`document.scripts.length`, &scripts)
	assert.Zero(t, scripts)
	assert.Contains(t, p.text("header"), "100 M/s by a cached generator")
	assert.Contains(t, p.text("#report"), "from mysql://uid@db.example.com/<uid>")
	assert.Contains(t, p.text("#report"), "every id is new")
}

func TestARunHasTheFiguresThatSaySomething(t *testing.T) {
	all := []string{"throughput", "latency", "fill", "ahead"}
	for name, c := range map[string]struct {
		change func(*bench.Report)
		want   []string
	}{
		"a cached generator":  {func(*bench.Report) {}, all},
		"a default generator": {func(r *bench.Report) { r.RingSize = 0 }, all[:2]},
		"nothing was measured": {func(r *bench.Report) {
			*r = bench.Report{Layout: r.Layout, Epoch: r.Epoch, Started: r.Started}
		}, nil},
		"not one id": {func(r *bench.Report) {
			r.Samples = []bench.Sample{{Seconds: 1}, {Seconds: 2}}
		}, all},
		"one call was timed": {func(r *bench.Report) { r.LatencySamples = 1 },
			[]string{"throughput", "fill", "ahead"}},
		"two calls were timed": {func(r *bench.Report) {
			r.LatencySamples, r.Latency = 2, bench.Latency{"p50": 1, "max": 1}
		}, all},
		"a layout without an end": {func(r *bench.Report) { r.Layout = "60/2/1" }, all},
		"one sample, at its start": {func(r *bench.Report) {
			r.Samples = r.Samples[:1]
			r.Samples[0].Seconds = 0
		}, all},
	} {
		t.Run(name, func(t *testing.T) {
			r := report()
			c.change(&r)
			figures, err := figuresOf(r)
			require.NoError(t, err)
			var names []string
			for _, f := range figures {
				names = append(names, f.Name)
				assert.NotEmpty(t, f.Caption)
				assert.Contains(t, f.svg, f.title)
				assert.NotRegexp(t, "NaN|Inf", f.svg, f.Name)
			}
			assert.Equal(t, c.want, names)
			var b bytes.Buffer
			require.NoError(t, WriteHTML(&b, r))
			assert.NotRegexp(t, "NaN|ZgotmplZ", b.String())
		})
	}
}

func TestFiguresSayWhatWasMeasured(t *testing.T) {
	figures, err := figuresOf(report())
	require.NoError(t, err)
	captions := map[string]string{}
	for _, f := range figures {
		captions[f.Name] = f.Caption
	}
	assert.Equal(t, map[string]string{
		"throughput": "100 M/s on average.",
		"latency":    "p50 40 ns, p90 41 ns, p99 50 ns, p99.9 700 ns, p99.99 4 µs, max 2.5 ms.",
		"fill":       "A ring of 65,536 ids, found empty by 42 takes.",
		"ahead": "16.9 h at the end. What a layout's ticks do not hold is borrowed from the " +
			"future.",
	}, captions)
	l, err := lifeOf(report())
	require.NoError(t, err)
	assert.Equal(t, "10.4 % has passed (grey), this run used up 0.023 % (orange), 89.6 % is left.",
		l.Caption)
}

func TestAReportWithoutALayoutIsRefused(t *testing.T) {
	assert.ErrorContains(t, WriteHTML(&bytes.Buffer{}, bench.Report{Layout: "sixty bits"}),
		"the report's layout")
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
