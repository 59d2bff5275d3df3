package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/sweep"
)

// scaleAxes are few points on each axis.
func scaleAxes() []sweep.ScaleAxis {
	point := func(ids, ring int64, goroutines int, ratio float64) sweep.ScalePoint {
		return sweep.ScalePoint{
			IDs: ids, RingSize: ring, Goroutines: goroutines,
			Ratio: ratio, LowestRatio: ratio * 0.9, HighestRatio: ratio * 1.1, HeapBytes: 1.2e6, ProcessBytes: 8e6,
		}
	}
	return []sweep.ScaleAxis{
		{Name: sweep.AxisIDs, Points: []sweep.ScalePoint{point(1e6, 65536, 2, 1.3), point(1e7, 65536, 2, 1.4)}},
		{Name: sweep.AxisRing, Points: []sweep.ScalePoint{point(1e6, 8192, 2, 1.5)}},
		{Name: sweep.AxisGoroutines, Points: []sweep.ScalePoint{point(1e6, 65536, 1, 1.3), point(1e6, 65536, 2, 20)}},
	}
}

func TestTheScalePictureHasThreePanels(t *testing.T) {
	full := scaleAxes()
	empty := []sweep.ScaleAxis{{Name: sweep.AxisIDs}, {Name: sweep.AxisRing}, {Name: sweep.AxisGoroutines}}
	titles := []string{"As more ids are taken", "As the ring grows", "As there are more goroutines"}
	for name, c := range map[string]struct {
		axes []sweep.ScaleAxis
		want []string
	}{
		"full":             {full, append([]string{"1 M", "10 M", "8 Ki", "heap 1.2 to 1.2 MB, process 8.0 to 8.0 MB"}, titles...)},
		"nothing measured": {empty, append([]string{"not measured"}, titles...)},
	} {
		figure, err := Scale(sweep.ScaleReport{Mode: "single", Ordered: true, Repeats: 3, Axes: c.axes})
		require.NoError(t, err, name)
		texts := xmlTexts(t, figure.SVG)
		for _, want := range c.want {
			assert.Contains(t, texts, want, name)
		}
	}
}

// xmlTexts reads a document to its end, and returns the texts in it.
func xmlTexts(t *testing.T, doc []byte) (texts []string) {
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		require.NoError(t, err)
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, string(text))
		}
	}
}
