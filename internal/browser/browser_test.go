package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve answers every request with a page.
func serve(t *testing.T, page string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>t</title>"+page)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

const alone = `
<style>
  body { background: #fff; height: 2000px; margin: 0 }
  @media (prefers-color-scheme: dark) { body { background: #000 } }
</style>
<p id=greeting>Hello, <b>you</b><span style="display: none">hidden</span></p>
<button onclick="setTimeout(() => { document.body.dataset.clicked = 'yes' })">Go</button>
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`

func TestPageIsReadAndUsed(t *testing.T) {
	p := Open(t, serve(t, alone), Viewport{})
	assert.Equal(t, "Hello, you", p.Text("#greeting"))

	var got struct{ Answer int }
	p.Eval(`Promise.resolve({answer: 42})`, &got)
	assert.Equal(t, 42, got.Answer)

	p.Click("button")
	p.WaitFor(`document.body.dataset.clicked === 'yes'`)
}

func TestViewport(t *testing.T) {
	p := Open(t, serve(t, alone), Viewport{})
	for _, c := range []struct {
		v             Viewport
		width, height int
		background    uint32
	}{
		{Viewport{}, 1280, 800, 0xffff},
		{Viewport{Width: 390, Height: 844, Dark: true}, 390, 844, 0},
		{Viewport{Width: 390}, 390, 800, 0xffff},
	} {
		p.Resize(c.v)
		var size [2]int
		p.Eval(`[innerWidth, innerHeight]`, &size)
		assert.Equal(t, [2]int{c.width, c.height}, size)

		image, err := png.Decode(bytes.NewReader(p.Screenshot()))
		require.NoError(t, err)
		assert.Equal(t, c.width, image.Bounds().Dx())
		assert.GreaterOrEqual(t, image.Bounds().Dy(), 2000, "a screenshot is of the whole page")
		red, _, _, _ := image.At(image.Bounds().Dx()-1, 1000).RGBA()
		assert.Equal(t, c.background, red, "%+v", c.v)
	}
}

func TestPageThatStandsAloneAsksForNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, []byte("<!doctype html>"+alone), 0o600))
	for _, url := range []string{serve(t, alone), "file://" + filepath.ToSlash(file)} {
		p := Open(t, url, Viewport{})
		assert.Empty(t, p.Requests(), url)
		assert.Empty(t, p.Errors(), url)
	}
}

func TestPageThatAsksForAnythingIsFoundOut(t *testing.T) {
	p := Open(t, serve(t, `
		<style>@import url(https://import.example/a.css); p { background: url(https://background.example/) }</style>
		<link rel=stylesheet href="https://link.example/a.css">
		<p>text</p>
		<img src="https://image.example/a.png">
		<script src="https://script.example/a.js"></script>
		<svg><image href="https://svg.example/a.png"/></svg>
		<iframe src="https://frame.example/"></iframe>
		<iframe srcdoc="<img src=https://inside.example/>"></iframe>
		<script>
		  fetch("https://fetch.example/").catch(() => {})
		  new WebSocket("wss://socket.example/")
		  navigator.sendBeacon("https://beacon.example/")
		</script>`), Viewport{})
	requests := p.Requests()
	for _, want := range []string{
		"https://import.example/a.css", "https://background.example/", "https://link.example/a.css",
		"https://image.example/a.png", "https://script.example/a.js", "https://svg.example/a.png",
		"https://frame.example/", "https://inside.example/",
		"https://fetch.example/", "wss://socket.example/", "https://beacon.example/",
	} {
		assert.Contains(t, requests, want)
	}
	assert.Len(t, requests, 11)
}

func TestRequestThatBeginsLaterIsFoundOutToo(t *testing.T) {
	url := serve(t, "<p>text")
	p := Open(t, url, Viewport{})
	require.Empty(t, p.Requests())
	p.Eval(`fetch("/more").then(r => r.text())`, nil)
	assert.Equal(t, []string{url + "/more"}, p.Requests())
}

func TestErrorsOfAPage(t *testing.T) {
	p := Open(t, serve(t, `
		<img src="https://image.example/a.png">
		<script>console.log("all is well"); console.error("it broke:", 7)</script>
		<script>nobody.catches()</script>`), Viewport{})
	all := fmt.Sprint(p.Errors())
	for _, want := range []string{"it broke: 7", "nobody is not defined", "ERR_NAME_NOT_RESOLVED https://image.example/a.png"} {
		assert.Contains(t, all, want)
	}
	assert.NotContains(t, all, "all is well")
}

// recorder is a test that notes how it fails.
type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestFailureSaysWhatWasTriedAndWhere(t *testing.T) {
	p := Open(t, serve(t, alone), Viewport{})
	for want, try := range map[string]func(){
		"nowhere.near":        func() { p.Eval("nowhere.near", nil) },
		"#absent":             func() { p.Text("#absent") },
		"a syntax ( error":    func() { p.WaitFor("a syntax ( error") },
		"may be missing":      func() { p.garble("event %d", 7); p.Requests() },
		"cannot unmarshal":    func() { p.Eval("'text'", new(int)) },
		"net::ERR_FILE_NOT_F": func() { p.run("loading", chromedp.Navigate("file:///no/such/file")) },
	} {
		r := &recorder{}
		p.t = r
		done := make(chan struct{})
		go func() {
			defer close(done)
			try()
		}()
		<-done
		assert.Contains(t, r.failed, want)
		assert.Contains(t, r.failed, p.url)
	}
}

func TestBrowserEndsWithItsTest(t *testing.T) {
	var process *os.Process
	t.Cleanup(func() { // after those of Open
		if process != nil {
			assert.ErrorIs(t, process.Signal(os.Interrupt), os.ErrProcessDone)
		}
	})
	p := Open(t, "about:blank", Viewport{})
	process = chromedp.FromContext(p.tab).Browser.Process()
	require.NotNil(t, process)
}

func TestFind(t *testing.T) {
	_, ok := find([]string{"no-such-browser-anywhere"})
	assert.False(t, ok)
	self, err := os.Executable()
	require.NoError(t, err)
	path, ok := find([]string{"no-such-browser-anywhere", self})
	assert.True(t, ok)
	assert.Equal(t, self, path)
}
