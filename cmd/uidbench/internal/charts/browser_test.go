package charts

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// patience is how long anything may take: a browser on two busy cores is slow.
const patience = 2 * time.Minute

// viewport is how a page is looked at.
type viewport struct {
	Width, Height int64 // in CSS pixels
	Dark          bool  // what prefers-color-scheme says
}

// shown is a page in headless Chromium, which reaches nothing but this machine: every other
// host is an unknown name to it.
type shown struct {
	t   testing.TB
	tab context.Context

	mu       sync.Mutex
	begun    bool     // the page itself was asked for
	requests []string // all addresses but the page's own, data: and the browser's /favicon.ico
	errors   []string // of console.error, of nobody's exceptions, of the browser
}

// show opens a page in a browser that ends with the test, and returns when it has loaded.
func show(t testing.TB, url string) *shown {
	t.Helper()
	var chromium string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome",
		"google-chrome-stable", "/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		testserver.Missing(t, "Chromium", "apt-get install chromium, or brew install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(testserver.TempDir(t)),
		chromedp.WSURLReadTimeout(patience),
		chromedp.NoSandbox,                      // root has none, nor have most containers
		chromedp.Flag("disable-breakpad", true), // no process for crash reports, which would live on
		// One process for all frames, so that requests of all of them are seen.
		chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.Flag("disable-features", "IsolateOrigins,site-per-process,Translate"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel) // kills what has not ended, and waits
	p := &shown{t: t}
	p.tab, _ = chromedp.NewContext(allocator, chromedp.WithErrorf(p.failed),
		chromedp.WithBrowserOption(chromedp.WithDialTimeout(patience)))
	t.Cleanup(func() {
		limited, cancel := context.WithTimeout(p.tab, patience)
		defer cancel()
		assert.NoError(t, chromedp.Cancel(limited), "the browser does not end")
	})
	// No time limit here: chromedp would take its end for the browser's.
	require.NoError(t, chromedp.Run(p.tab), "starting %s", chromium)
	chromedp.ListenTarget(p.tab, p.listen)
	p.run(chromedp.Navigate(url))
	return p
}

// run does something to the page.
func (p *shown) run(actions ...chromedp.Action) {
	p.t.Helper()
	limited, cancel := context.WithTimeout(p.tab, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Run(limited, actions...))
}

// resize looks at the same page in another way.
func (p *shown) resize(v viewport) {
	p.t.Helper()
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	p.run(chromedp.EmulateViewport(v.Width, v.Height), emulation.SetEmulatedMedia().WithFeatures(
		[]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// eval puts the value of a JavaScript expression into what into points to, as JSON would.
func (p *shown) eval(expression string, into any) {
	p.t.Helper()
	p.run(chromedp.Evaluate(expression, into))
}

// text is what a person reads in the first element that a CSS selector finds.
func (p *shown) text(selector string) (text string) {
	p.t.Helper()
	p.eval("document.querySelector('"+selector+"').innerText", &text)
	return text
}

// failed notes what the browser reports and chromedp cannot read: requests may be missing.
func (p *shown) failed(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = append(p.errors, fmt.Sprintf(format, args...))
}

// listen notes what the browser reports. Reports and answers come in one stream, so
// whatever a page did before an answer has been noted by then.
func (p *shown) listen(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.asked(e.Request.URL)
	case *network.EventWebSocketCreated:
		p.asked(e.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError && !isIcon(e.Entry.URL) {
			p.failed("%s %s", e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventExceptionThrown:
		p.failed("%s", e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			p.failed("console.error: %v", e.Args)
		}
	}
}

func (p *shown) asked(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun && !strings.HasPrefix(url, "data:") && !isIcon(url) {
		p.requests = append(p.requests, url)
	}
	p.begun = true
}

func isIcon(url string) bool { return strings.HasSuffix(url, "/favicon.ico") }

// asksAndFails are the requests and errors so far.
func (p *shown) asksAndFails() (requests, errors []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests), slices.Clone(p.errors)
}
