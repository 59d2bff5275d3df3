package charts

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
)

// frame is the page as somebody sees it at one width.
type frame struct {
	Text     string
	Sideways bool // it is wider than the window
	Pictures map[string]picture
}

type picture struct {
	Width, Height float64
	Shapes        int
	Outside       []string // texts that are cut off
	Font          float64  // size of the smallest text, in CSS pixels
	Label         string
}

// look puts what frame has, of each frame by its width, into the wrapper's text.
const look = `<script>
onload = () => {
  const all = {}
  for (const f of document.querySelectorAll('iframe')) {
    const d = f.contentDocument, root = d.documentElement, pictures = {}
    for (const figure of d.querySelectorAll('figure')) {
      const svg = figure.querySelector('svg'), box = svg.getBoundingClientRect()
      const texts = [...svg.querySelectorAll('text')]
      const cut = t => {
        const b = t.getBoundingClientRect()
        return b.left < box.left - 1 || b.right > box.right + 1 ||
          b.top < box.top - 1 || b.bottom > box.bottom + 1
      }
      const size = t => parseFloat(getComputedStyle(t).fontSize) * Math.abs(t.getScreenCTM().a)
      pictures[figure.id] = {
        Width: box.width, Height: box.height, Label: svg.getAttribute('aria-label'),
        Shapes: svg.querySelectorAll('path, rect').length,
        Outside: texts.filter(cut).map(t => t.textContent), Font: Math.min(...texts.map(size)),
      }
    }
    all[f.width] = {
      Text: d.body.innerText, Sideways: root.scrollWidth > f.clientWidth, Pictures: pictures,
    }
  }
  document.body.textContent = JSON.stringify(all)
}
</script>`

// show has headless Chromium look at a page in frames of some widths.
func show(t *testing.T, page string, widths ...int) (frames map[string]frame) {
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
	wrapper := "<!doctype html><body>"
	for _, w := range widths {
		wrapper += fmt.Sprintf(`<iframe width="%d" height="900" srcdoc="%s"></iframe>`, w,
			html.EscapeString(page))
	}
	dir := testserver.TempDir(t)
	file := filepath.Join(dir, "wrapper.html")
	require.NoError(t, os.WriteFile(file, []byte(wrapper+look), 0o600))
	var said strings.Builder
	c := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", // root has none
		"--hide-scrollbars", // a phone's take no room
		"--disable-gpu", "--disable-breakpad", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--dump-dom", "file://"+filepath.ToSlash(file))
	c.Stderr = &said
	dom, err := c.Output()
	require.NoError(t, err, said.String())
	_, text, _ := strings.Cut(string(dom), "<body>")
	text, _, _ = strings.Cut(text, "</body>")
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(text)), &frames), string(dom))
	require.Len(t, frames, len(widths))
	return frames
}
