package charts

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestAPageShowsWhatTheTimedCallsShow(t *testing.T) {
	r := report()
	assert.Contains(t, settings(r).Rows, [2]string{"worker id", "7 (NeverReused)"})
	assert.Contains(t, facts(r), Fact{"4 µs", "p99.99 of a call"})
	assert.Contains(t, latencies(r).Rows, [2]string{"calls timed", "100,000"})

	r.Latency, r.LatencySamples = bench.Latency{"p50": 40, "p90": 41, "max": 2_500_000}, 45
	assert.Contains(t, facts(r), Fact{"41 ns", "p90 of a call"})
	assert.Equal(t, [][2]string{
		{"p50", "40 ns"}, {"p90", "41 ns"}, {"max", "2.5 ms"},
		{"of it the timer's own", "20 ns"}, {"calls timed", "45"},
	}, latencies(r).Rows)
	figure, err := latency(r)
	require.NoError(t, err)
	assert.Equal(t, "p50 40 ns, p90 41 ns, max 2.5 ms; the timer's own 20 ns is in each.",
		figure.Caption)

	r.Latency, r.LatencySamples = bench.Latency{}, 0
	for _, f := range facts(r) {
		assert.NotContains(t, f.Name, "of a call")
	}
}

func TestAPageSaysHowManyCallsNeverRan(t *testing.T) {
	r := report()
	r.Rate, r.NeverRan = 1e8, 40_000
	rows := latencies(r).Rows
	assert.Equal(t, [][2]string{
		{"calls due", "100,000"}, {"of them never ran", "40,000"},
	}, rows[len(rows)-2:])
}

func TestAPageSaysWhichIDsWereNotChecked(t *testing.T) {
	r := report()
	assert.Contains(t, summary(r), "every id was kept and is new")
	r.UnverifiedIDs = 12_345
	assert.Contains(t, summary(r), "12,345 of them COULD NOT BE CHECKED")
	assert.NotContains(t, summary(r), "every id")
	assert.Contains(t, results(r).Rows, [2]string{"ids not checked", "12,345"})
}
