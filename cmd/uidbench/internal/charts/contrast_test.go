package charts

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/browser"
)

// contrasts says of each text in a picture how much lighter or darker it is than what it
// stands on, as WCAG 2 has it: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
const contrasts = `(() => {
  const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4)
  const luminance = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map(channel)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const fills = [...document.querySelectorAll('path')].filter(p => getComputedStyle(p).fill !== 'none')
  return [...document.querySelectorAll('text')].map(t => {
    const box = t.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2
    const under = fills.filter(p => {
      const b = p.getBoundingClientRect()
      return b.left <= x && x <= b.right && b.top <= y && y <= b.bottom
    }).pop()
    const [a, b] = [getComputedStyle(t).fill, getComputedStyle(under).fill].map(luminance)
    return {text: t.textContent, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), paper: getComputedStyle(fills[0]).fill}
  })
})()`

type contrast struct {
	Text, Paper string
	Ratio       float64
}

// heatmap has a cell of each colour, one that failed, and one that is missing.
func heatmap(t *testing.T) []byte {
	r := sweepReport(8, 3, "take")
	for i := range r.Points {
		r.Points[i].IDsPerSecond = 1e6 * math.Pow(1.5, float64(i))
	}
	r.Points[1].Error = "it broke"
	r.Points = r.Points[:len(r.Points)-1]
	seen := map[uint32]bool{}
	for _, p := range r.Points {
		if p.Error == "" {
			colour, _, _ := heat{r.Grids()[0], r.Rates()}.cell(p, true)
			seen[colour] = true
		}
	}
	require.GreaterOrEqual(t, len(seen), len(heats), "the colours of the cells")
	figure, err := Sweep(r)
	require.NoError(t, err)
	return figure.SVG
}

func curve(t *testing.T) []byte {
	figure, err := Sweep(sweepReport(3, 1, "take"))
	require.NoError(t, err)
	return figure.SVG
}

// A picture is a file that readers see on a white page or on a dark one.
func TestTheWordsOfAPictureCanBeReadInTheLightAndInTheDark(t *testing.T) {
	for name, svg := range map[string][]byte{"heat map": heatmap(t), "curve": curve(t)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "picture.svg")
			require.NoError(t, os.WriteFile(path, svg, 0o600))
			p := browser.Open(t, "file://"+filepath.ToSlash(path), browser.Viewport{})
			for dark, paper := range map[bool]string{false: "rgb(255, 255, 255)", true: "rgb(28, 32, 38)"} {
				p.Resize(browser.Viewport{Width: 360, Dark: dark})
				var all []contrast
				p.Eval(contrasts, &all)
				require.Greater(t, len(all), 5)
				for _, c := range all {
					assert.Equal(t, paper, c.Paper)
					assert.GreaterOrEqual(t, c.Ratio, 4.5, "%q, dark: %v", c.Text, dark) // AA
				}
			}
			assert.Empty(t, p.Errors())
		})
	}
}
