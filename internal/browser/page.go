package browser

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Viewport is how a page is looked at. The zero value is a desktop by day.
type Viewport struct {
	Width, Height int  // in CSS pixels; 0: 1280 and 800
	Dark          bool // what prefers-color-scheme says
}

// Page is an open page. Its methods are for the test's goroutine; whatever goes
// wrong in them fails the test at once.
type Page struct {
	t   testing.TB
	tab context.Context
	url string

	mu       sync.Mutex
	begun    bool // the page itself was asked for
	requests []string
	errors   []string
	garbled  []string // what chromedp could not read
}

// Open shows the page at url and returns when it has loaded, with its images,
// styles and scripts.
func Open(t testing.TB, url string, v Viewport) *Page {
	t.Helper()
	p := &Page{t: t, url: url}
	p.tab = start(t, p.garble)
	chromedp.ListenTarget(p.tab, p.listen)
	p.Resize(v)
	p.run("loading it", chromedp.Navigate(url))
	return p
}

// Resize looks at the same page in another way.
func (p *Page) Resize(v Viewport) {
	p.t.Helper()
	width, height, scheme := 1280, 800, "light"
	if v.Width != 0 {
		width = v.Width
	}
	if v.Height != 0 {
		height = v.Height
	}
	if v.Dark {
		scheme = "dark"
	}
	p.run("resizing",
		chromedp.EmulateViewport(int64(width), int64(height)),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
		}))
}

// Requests are the addresses that the page has asked for so far, in order: all but
// its own, data: ones, and the /favicon.ico that browsers look for by themselves.
// A page that stands alone has none. What a worker asks for is not seen; the
// worker's script is.
func (p *Page) Requests() []string {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.garbled) > 0 {
		p.t.Fatalf("%s: this chromedp cannot read all that this Chromium reports, a newer one may; "+
			"some requests may be missing: %q", p.url, p.garbled)
	}
	return slices.Clone(p.requests)
}

// Errors are what went wrong on the page so far: calls of console.error,
// exceptions that nobody caught, and what the browser itself complains about,
// such as a request that failed.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.errors)
}
