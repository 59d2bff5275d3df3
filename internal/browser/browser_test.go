package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

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
  @media (prefers-color-scheme: dark) { body { background: #000 } }
</style>
<p id=greeting>Hello, <b>you</b><span style="display: none">hidden</span></p>
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`

func TestPageIsReadInEachViewport(t *testing.T) {
	p := Open(t, serve(t, alone), Viewport{})
	assert.Equal(t, "Hello, you", p.Text("#greeting"))
	for v, want := range map[Viewport]string{
		{}:                                    "1280 800 false",
		{Width: 390, Height: 844, Dark: true}: "390 844 true",
	} {
		p.Resize(v)
		var got string
		p.Eval(`Promise.resolve([innerWidth, innerHeight,
			matchMedia('(prefers-color-scheme: dark)').matches].join(' '))`, &got)
		assert.Equal(t, want, got)
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

func TestErrorsOfAPage(t *testing.T) {
	p := Open(t, serve(t, `
		<img src="https://image.example/a.png">
		<script>console.log("all is well"); console.error("it broke:", 7)</script>
		<script>nobody.catches()</script>`), Viewport{})
	all := fmt.Sprint(p.Errors())
	for _, want := range []string{"it broke: 7", "nobody is not defined",
		"ERR_NAME_NOT_RESOLVED https://image.example/a.png"} {
		assert.Contains(t, all, want)
	}
	assert.NotContains(t, all, "all is well")
}
