package charts

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
)

func TestAPageOfSeveralProcessesNamesEach(t *testing.T) {
	r := report()
	r.Processes = []bench.ProcessReport{
		{WorkerID: 3, IDs: 200_000_000, IDsPerSecond: 4e7, Latency: bench.Latency{P9999: 4000}},
		{WorkerID: 7, IDs: 300_000_000, IDsPerSecond: 6e7, Latency: bench.Latency{P9999: 2000}},
	}
	page, err := RunPage(r)
	require.NoError(t, err)
	assert.Contains(t, page.Summary, "an atomic add to a counter that the goroutines of a process share")
	assert.Contains(t, page.Tables, Table{"2 processes", [][2]string{
		{"worker id 3", "200,000,000 ids, 40 M/s, p99.99 4 µs"},
		{"worker id 7", "300,000,000 ids, 60 M/s, p99.99 2 µs"},
	}})
	assert.Contains(t, settings(r).Rows, [2]string{"worker id", "one for each process (NeverReused)"})
	assert.Contains(t, settings(report()).Rows, [2]string{"worker id", "7 (NeverReused)"})
}

func TestAPageSaysWhichIDsWereNotChecked(t *testing.T) {
	r := report()
	assert.Contains(t, summary(r), "every id was kept and is new")
	r.UnverifiedIDs = 12_345
	assert.Contains(t, summary(r), "12,345 of them COULD NOT BE CHECKED")
	assert.NotContains(t, summary(r), "every id")
	assert.Contains(t, results(r).Rows, [2]string{"ids not checked", "12,345"})
}
