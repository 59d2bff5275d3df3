package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// AheadSeconds counts to the end of a tick that is not over yet.
func TestATickIsNotBorrowed(t *testing.T) {
	for layout, ahead := range map[string]float64{"28/22/13": 1, "41/10/12@1ms": 0.001, "17/4/1/41/0@24h": 86_400} {
		r := sample()
		r.Layout, r.AheadSeconds, r.LifeLeftSeconds = layout, ahead, 0
		assert.NotContains(t, text(t, r), "borrowed", layout)
		r.AheadSeconds *= 1.01
		assert.Contains(t, text(t, r), "borrowed", layout)
	}
}

func TestTheTextReportSaysThatTheLayoutWasMeasured(t *testing.T) {
	limited := sample()
	limited.Generator, limited.RingSize, limited.IDsPerSecond, limited.RejectedTakes = "default", 0, 16_384, 2
	assert.Contains(t, text(t, limited), "  rate      16.4 k/s, limited by the layout, which holds 8.19 k/s for a worker id\n")

	for name, change := range map[string]func(r *Report){
		"a ring waits for its padder": func(r *Report) { r.RingSize = 65_536 },
		"no take waited":              func(r *Report) { r.RejectedTakes = 0 },
		"far less than the layout's":  func(r *Report) { r.IDsPerSecond = 4000 },
		"it kept the rate":            func(r *Report) { r.Rate, r.IDsPerSecond = 8000, 7990 },
		"eight processes":             func(r *Report) { r.Processes = make([]ProcessReport, 8) },
		"no layout":                   func(r *Report) { r.Layout = "" },
	} {
		r := limited
		change(&r)
		assert.NotContains(t, text(t, r), "limited", name)
	}
	limited.Rate = 20_000
	assert.Contains(t, text(t, limited), "asked for 20 k/s: it fell behind, limited by the layout")
}

func TestTheTextReportSaysThatIDsMayRepeat(t *testing.T) {
	r := sample()
	r.Settings = map[string]any{"allow_repeats": true}
	assert.Contains(t, text(t, r), "worker id 7 (NeverReused, with Config.AllowRepeats) from ")
}
