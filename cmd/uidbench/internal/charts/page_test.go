package charts

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

// report is one of a run that went well.
func report() bench.Report {
	r := bench.Report{
		Started: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), Generator: "cached",
		Layout: "28/22/13", Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Round: bench.Round{Seconds: 5}, IDsPerSecond: 1e8, Store: "mysql://uid@db.example.com/<uid>",
		Duplicates: new(int64),
		RingSize:   65536, RejectedTakes: 42, AheadSeconds: 61_000, LifeUsed: 0.00023,
		Latency: map[string]int64{"p50": 40, "p90": 41, "p99": 50, "p999": 700, "p9999": 4000,
			"max": 2_500_000},
		LatencySamples: 100_000,
	}
	for i := 1; i <= 10; i++ {
		r.Samples = append(r.Samples, bench.Sample{
			Seconds: 0.5 * float64(i), IDsPerSecond: 1e8, RingFill: 0.6, AheadSeconds: 6100 * float64(i),
		})
	}
	return r
}

// page is the one of a run.
func page(t *testing.T, r bench.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, WriteHTML(&b, r))
	return b.String()
}

func TestAPageShowsEveryFigureOnADeskAndOnAPhone(t *testing.T) {
	for width, f := range show(t, page(t, report()), 1280, 360) {
		assert.False(t, f.Sideways, "at %s pixels one would have to scroll to the side", width)
		for _, name := range []string{"throughput", "latency", "fill", "ahead", "life"} {
			p, ok := f.Pictures[name]
			require.True(t, ok, "no figure %s", name)
			assert.Greater(t, p.Width, 300.0, name)
			assert.Greater(t, p.Height, 70.0, name)
			assert.GreaterOrEqual(t, p.Shapes, 3, name)
			assert.Empty(t, p.Outside, name)
			assert.GreaterOrEqual(t, p.Font, 10.0, name)
			assert.NotEmpty(t, p.Label, name)
		}
		assert.Len(t, f.Pictures, 5)
		assert.Contains(t, f.Text, "100 M/s by a cached generator")
		assert.Contains(t, f.Text, "from mysql://uid@db.example.com/<uid>")
		assert.Contains(t, f.Text, "every id is new")
	}
}

// It has no script, and its policy forbids to load anything that it does not have in itself.
func TestAPageStandsAlone(t *testing.T) {
	text := page(t, report())
	assert.Contains(t, text, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; `+
		`style-src 'unsafe-inline'; img-src data:">`)
	assert.NotRegexp(t, `(?i)<script|<iframe|@import|url\(|\bsrc=|\bhref="[^#d]|\bon[a-z]+=`, text)
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
			r.LatencySamples, r.Latency = 2, map[string]int64{"p50": 1, "max": 1}
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
			assert.NotRegexp(t, "NaN|ZgotmplZ", page(t, r))
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
		"fill":       "A ring of 65,536 ids, found empty by 42 calls.",
		"ahead": "16.9 h at the end: ids taken faster than the layout holds have times in the " +
			"future.",
	}, captions)
	l, err := lifeOf(report())
	require.NoError(t, err)
	assert.Equal(t, "10.4 % has passed (grey), this run used up 0.023 % (orange), 89.6 % is left.",
		l.Caption)
}

// Bursts are shorter than what a point of the picture stands for.
func TestThePictureOfRatesIsOfTenthsOfASecond(t *testing.T) {
	r := bench.Report{Round: bench.Round{Seconds: 1}}
	for i := 1; i <= 256; i++ {
		r.Samples = append(r.Samples, bench.Sample{Seconds: float64(i) / 256,
			IDsPerSecond: float64(i%2) * 2e8})
	}
	points := rates(r)
	assert.InDelta(t, 19, len(points), 2)
	for _, p := range points {
		assert.InEpsilon(t, 1e8, p.Y, 0.2)
	}
}

func TestAReportWithoutALayoutIsRefused(t *testing.T) {
	assert.ErrorContains(t, WriteHTML(&bytes.Buffer{}, bench.Report{}), "the report's layout")
}
