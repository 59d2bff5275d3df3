package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

// The samples are of bursts, which are shorter than what a point of the line stands for.
func report() bench.Report {
	r := bench.Report{Generator: "cached", Seconds: 1, IDsPerSecond: 1e8, Machine: "4 x <CPU>",
		RingSize: 65536, RejectedTakes: 42, AheadSeconds: 61_000}
	for i := 1; i <= 256; i++ {
		r.Samples = append(r.Samples, bench.Sample{Seconds: float64(i) / 256,
			IDsPerSecond: float64(i%2) * 2e8, RingFill: 0.6, AheadSeconds: 238 * float64(i)})
	}
	return r
}

func TestFiguresSayWhatWasMeasured(t *testing.T) {
	all := figures(report())
	require.Len(t, all, 3)
	for i, want := range []struct{ caption, top string }{
		{"100 M/s on average.", "108 M/s"},
		{"A ring of 65,536 ids, which fills when ids are taken fast. Calls that had to wait: 42.",
			"100 %"},
		{"More than a tick, where ids are taken faster than the layout holds them, and in a " +
			"store's first minute.", "16.7 h"},
	} {
		assert.Equal(t, want.caption, all[i].Caption)
		assert.Equal(t, want.top, all[i].Labels[0])
		assert.Len(t, strings.Fields(all[i].Points), 21)
	}
}

// It has no script, and its policy forbids to load anything that it does not have in itself.
func TestAPageStandsAlone(t *testing.T) {
	for name, change := range map[string]func(*bench.Report){
		"a cached generator":       func(*bench.Report) {},
		"no ring":                  func(r *bench.Report) { r.RingSize = 0 },
		"not one id":               func(r *bench.Report) { r.Samples = []bench.Sample{{Seconds: 1}} },
		"no time":                  func(r *bench.Report) { r.Seconds = 0 },
		"one sample, at its start": func(r *bench.Report) { r.Samples = []bench.Sample{{}} },
		"no sample":                func(r *bench.Report) { r.Samples = nil },
	} {
		r := report()
		change(&r)
		var b strings.Builder
		require.NoError(t, writeHTML(&b, r), name)
		text := b.String()
		assert.Contains(t, text, `<meta http-equiv="Content-Security-Policy" content="default-src `+
			`'none'; style-src 'unsafe-inline'; img-src data:">`)
		assert.Contains(t, text, "100 M/s by a cached generator")
		assert.Contains(t, text, "4 x &lt;CPU&gt;")
		assert.NotRegexp(t, `(?i)<script|<iframe|@import|url\(|\bsrc=|\bhref="[^#d]|\bon[a-z]+=`, text)
		assert.NotRegexp(t, "NaN|Inf|ZgotmplZ", text, name)
	}
}
