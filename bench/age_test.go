package bench

import (
	"testing"
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The kept ages are a choice, the youngest and the oldest always among them.
func TestAgesKeepTheExtremes(t *testing.T) {
	var a ages
	const n = 10 * mostAges
	for i := range n {
		a.add(time.Duration(i*7919%n) * time.Millisecond)
	}
	require.Len(t, a.kept, mostAges)
	got := ageOf(a.kept)
	assert.Zero(t, got.Min)
	assert.EqualValues(t, n-1, got.Max)
	assert.InDelta(t, n/2, got.P50, n/10)
	assert.InDelta(t, 0.99*n, *got.P99, n/50)
	assert.Nil(t, ageOf(a.kept[:99]).P99, "one in a hundred is not to be seen in 99")
	assert.NotNil(t, ageOf(a.kept[:100]).P99)
	assert.Nil(t, ageOf(nil))
}

func TestARunReportsTheAgeOfIDs(t *testing.T) {
	g, err := uid.NewDefault(t.Context(), worker.Static(1), quiet(uid.Config{}))
	require.NoError(t, err)
	report, err := Run(t.Context(), Config{
		Generator: g, Count: 100, Goroutines: 1, Rate: 2_000, Verify: true,
	})
	require.NoError(t, err)
	require.NotNil(t, report.Age)
	assert.GreaterOrEqual(t, report.Age.Min, 0.0, "a default generator borrows nothing")
	assert.LessOrEqual(t, report.Age.P50, report.Age.Max)
}

func TestTheAgeIsText(t *testing.T) {
	p99, ahead := 1500.0, -2000.0
	for want, age := range map[string]*Age{
		"": nil,
		"p50 500ms, max 2s from the id's time to the take": {P50: 500, Max: 2000},

		"p50 500ms, p99 1.5s, max 2s from the id's time to the take": {
			P50: 500, P99: &p99, Max: 2000,
		},
		"from the future: p50 33m20s, p99 2s, max 1s ahead of the clock": {
			Min: -3e6, P50: -2e6, P99: &ahead, Max: -1000,
		},
	} {
		assert.Equal(t, want, ageText(Report{Age: age}))
	}
}
