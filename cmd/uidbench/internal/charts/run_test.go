package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
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
		LayoutEnd: "2034-07-04T21:24:16Z",
		WorkerID:  7, Class: worker.NeverReused, Store: "mysql://uid@db.example.com/uid",
		Settings: map[string]any{"boost_power": 3},
		IDs:      500_000_000, Seconds: 5, IDsPerSecond: 1e8, NSPerID: 10, AtomicAddNS: 8, Ratio: 1.25,
		RingSize: 65536, Refills: 12_345, RejectedTakes: 42, AheadSeconds: 61_000, LifeUsed: 0.00023,
		LifeLeftSeconds: 20_000,
		Latency: bench.Latency{"p50": 40, "p90": 41, "p99": 50, "p999": 700, "p9999": 4000,
			"max": 2_500_000},
		LatencySamples: 100_000, TimerNS: 20, Duplicates: &none, OrderViolations: &none,
		Machine: bench.Machine{OS: "linux", Arch: "amd64", CPU: "Some <CPU>", CPUs: 4, GOMAXPROCS: 2,
			Go: "go1.25"},
	}
	for i := 1; i <= 10; i++ {
		r.Rounds = append(r.Rounds, bench.Round{IDs: 5e7, Seconds: 0.5, NSPerID: 10, AtomicAddNS: 8})
		r.Samples = append(r.Samples, bench.Sample{
			Seconds: 0.5 * float64(i), IDs: int64(i) * 5e7, IDsPerSecond: 1e8, RingFill: 0.6,
			AheadSeconds: 6100 * float64(i),
		})
	}
	r.Percentiles = []bench.Percentile{
		{Percent: 0, NS: 30}, {Percent: 50, NS: 40}, {Percent: 99, NS: 50}, {Percent: 99.9, NS: 700},
		{Percent: 100, NS: 2_500_000},
	}
	return r
}

func names(figures []Figure) (all []string) {
	for _, f := range figures {
		all = append(all, f.Name)
	}
	return all
}

func TestARunHasTheFiguresThatSaySomething(t *testing.T) {
	all := []string{"throughput", "latency", "rounds", "fill", "ahead", "life"}
	for name, c := range map[string]struct {
		change func(*bench.Report)
		want   []string
	}{
		"a cached generator": {func(*bench.Report) {}, all},
		"a default generator": {func(r *bench.Report) { r.RingSize = 0 },
			[]string{"throughput", "latency", "rounds", "life"}},
		"an open loop": {func(r *bench.Report) { r.Rate = 1e8 },
			[]string{"throughput", "latency", "fill", "ahead", "life"}},
		"nothing was measured": {func(r *bench.Report) {
			*r = bench.Report{Layout: r.Layout,
				Epoch: r.Epoch, Started: r.Started}
		}, []string{"life"}},
		"no id in some rounds": {func(r *bench.Report) { r.Rounds[3] = bench.Round{} }, all},
		"one call was timed": {func(r *bench.Report) { r.LatencySamples = 1 },
			[]string{"throughput", "rounds", "fill", "ahead", "life"}},
		"one round":               {func(r *bench.Report) { r.Rounds = r.Rounds[:1] }, all},
		"a layout without an end": {func(r *bench.Report) { r.Layout = "60/2/1" }, all},
		"one sample, at its start": {func(
			r *bench.Report) {
			r.Samples = r.Samples[:1]
			r.Samples[0].Seconds = 0
		}, all},
	} {
		t.Run(name, func(t *testing.T) {
			r := report()
			c.change(&r)
			figures, err := Run(r)
			require.NoError(t, err)
			assert.Equal(t, c.want, names(figures))
			for _, f := range figures {
				assert.NotEmpty(t, f.Caption)
				assert.Contains(t, xmlTexts(t, f.SVG), f.Title)
				assert.NotContains(t, string(f.SVG), "NaN", f.Name)
				assert.NotContains(t, string(f.SVG), "Inf", f.Name)
			}
		})
	}
}

func TestFiguresSayWhatWasMeasured(t *testing.T) {
	figures, err := Run(report())
	require.NoError(t, err)
	captions := map[string]string{}
	for _, f := range figures {
		captions[f.Name] = f.Caption
	}
	assert.Equal(t, map[string]string{
		"throughput": "100 M/s on average; atomic adds to a counter that the same goroutines share: " +
			"125 M/s.",
		"latency": "p50 40 ns, p90 41 ns, p99 50 ns, p99.9 700 ns, p99.99 4 µs, max 2.5 ms; the " +
			"timer's own 20 ns is in each.",
		"rounds": "10 ns for an id, 1.25 times the 8 ns of an atomic add; measured in turns.",
		"fill": "A ring of 65,536 ids, 60 % full at the least when looked at; refilled 12,345 " +
			"times, found empty by 42 takes.",
		"ahead": "16.9 h at the end. What a layout's ticks do not hold is borrowed from the future.",
		"life": "10.4 % has passed, this run used up 0.023 %, 89.6 % is left; at this pace it " +
			"would last another 5.56 h.",
	}, captions)
}

func TestAReportWithoutALayoutIsRefused(t *testing.T) {
	_, err := Run(bench.Report{Layout: "sixty bits"})
	assert.ErrorContains(t, err, "the report's layout")
}

func TestPartsOfALayoutsTimeAreReadable(t *testing.T) {
	for part, want := range map[float64]string{0: "0 %", 1e-9: "less than 0.0001 %",
		2.3e-5: "0.0023 %", 0.104: "10.4 %", 1: "100 %"} {
		assert.Equal(t, want, percent(part))
	}
}

// The longest call of all is at the right end, and nothing is to the right of it but half of
// the words below.
func TestTheLatencyIsDrawnToTheEnd(t *testing.T) {
	figures, err := Run(report())
	require.NoError(t, err)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "latency" })
	require.NotEqual(t, -1, i)
	svg := string(figures[i].SVG)
	assert.Contains(t, svg, ">100 %</text>")
	end := 0.0
	for _, m := range regexp.MustCompile(
		`L([0-9.]+),[0-9.]+" style="fill:none;stroke:#0B5FC4`).FindAllStringSubmatch(svg, -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		end = max(end, x)
	}
	assert.Greater(t, end, figureWidth-4.0*margin-20)
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
