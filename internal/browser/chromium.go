package browser

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/ringuid/ringuid/internal/testserver"
)

// patience is how long anything may take. It is generous: a browser on two busy
// cores, under the race detector, is slow, and no test waits for it in vain.
const patience = 2 * time.Minute

// names are where Chromium is found: on PATH, or at its place on macOS.
func names() []string {
	return []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	}
}

// find returns the first of some programs that is installed.
func find(names []string) (path string, ok bool) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// start runs a browser with one empty tab, and returns the tab's context. Both
// end with the test.
func start(t testing.TB, errorf func(string, ...any)) context.Context {
	t.Helper()
	path, ok := find(names())
	if !ok {
		testserver.Missing(t, "Chromium", "apt-get install chromium, or brew install chromium")
	}
	options := append(flags(),
		chromedp.ExecPath(path),
		chromedp.UserDataDir(testserver.TempDir(t)),
		chromedp.WSURLReadTimeout(patience))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel) // kills what has not ended, and waits
	tab, _ := chromedp.NewContext(allocator,
		chromedp.WithErrorf(errorf),
		chromedp.WithBrowserOption(chromedp.WithDialTimeout(patience)))
	t.Cleanup(func() { end(t, tab) })
	// No time limit here: chromedp would take its end for the browser's.
	if err := chromedp.Run(tab); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	return tab
}

// end closes the browser in good order, and waits until it is gone.
func end(t testing.TB, tab context.Context) {
	limited, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	if err := chromedp.Cancel(limited); err != nil {
		t.Errorf("the browser does not end: %v", err)
	}
}

// flags make a browser that draws the same everywhere, does nothing of its own
// accord, and sees nothing but this machine.
func flags() []chromedp.ExecAllocatorOption {
	var options []chromedp.ExecAllocatorOption
	for _, on := range []string{
		"headless",
		"no-sandbox", // root has none, nor have most containers
		"no-first-run",
		"no-default-browser-check",
		"hide-scrollbars",
		"disable-gpu",
		"disable-quic",
		"disable-sync",
		"disable-breakpad", // no process for crash reports, which would live on
		"disable-extensions",
		"disable-dev-shm-usage", // small in containers
		"disable-component-update",
		"disable-background-networking",
		"disable-site-isolation-trials", // one process for all frames, so that Requests sees theirs
	} {
		options = append(options, chromedp.Flag(on, true))
	}
	return append(options,
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("disable-features", "IsolateOrigins,site-per-process,Translate"),
		chromedp.Flag("host-resolver-rules",
			"MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]"))
}
