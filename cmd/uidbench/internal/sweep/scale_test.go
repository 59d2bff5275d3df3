package sweep

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

func ringOf(c Combination) (uid.Generator, error) {
	return uid.NewCached(context.Background(), worker.Static(1), uid.Config{RingSize: int64(c.RingSize), AllowRepeats: true})
}

func TestScaleMeasuresEveryPoint(t *testing.T) {
	var parts []float64
	r, err := Scale(t.Context(), ScaleConfig{
		New: ringOf, Limit: 2000, Repeats: 1,
		Progress: func(p bench.Progress) { parts = append(parts, p.Part) },
	})
	require.NoError(t, err)
	require.Len(t, r.Axes, 3)
	assert.False(t, r.Interrupted)
	assert.IsNonDecreasing(t, append([]float64{0}, append(parts, 1)...))

	var rings, goroutines []float64
	for size := 1 << 13; size <= 1<<24; size *= 2 {
		rings = append(rings, float64(size))
	}
	for n := 1; n <= 64; n *= 2 {
		goroutines = append(goroutines, float64(n))
	}
	for i, want := range []struct {
		name string
		at   []float64
	}{{AxisIDs, []float64{2000}}, {AxisRing, rings}, {AxisGoroutines, goroutines}} {
		axis := r.Axes[i]
		assert.Equal(t, want.name, axis.Name)
		var at []float64
		for _, p := range axis.Points {
			at = append(at, p.X(axis.Name))
			assert.EqualValues(t, 2000, p.IDs)
			assert.Positive(t, p.NSPerID)
			assert.InDelta(t, p.NSPerID/p.AtomicAddNS, p.Ratio, 1e-9)
			assert.LessOrEqual(t, p.LowestRatio, p.Ratio)
			assert.GreaterOrEqual(t, p.HighestRatio, p.Ratio)
			assert.Positive(t, p.HeapBytes)
			assert.Greater(t, p.ProcessBytes, p.HeapBytes)
		}
		assert.Equal(t, want.at, at, axis.Name)
	}

	var text, object bytes.Buffer
	require.NoError(t, WriteScaleText(&text, r))
	for _, row := range []string{"As more ids are taken: ring of 65,536", "\n  16,777,216 ", "\n          64 ", "the median of 1 run"} {
		assert.Contains(t, text.String(), row)
	}
	require.NoError(t, human.WriteJSON(&object, r))
	var again ScaleReport
	require.NoError(t, json.Unmarshal(object.Bytes(), &again))
	assert.Equal(t, r.Axes, again.Axes)
}

func TestTheAxisOfIDsEndsAtTheLimit(t *testing.T) {
	for limit, want := range map[int64][]int64{
		5:         {5},
		1_000_000: {1_000_000},
		3_000_000: {1_000_000, 3_000_000},
		1e8:       {1e6, 1e7, 1e8},
		1e10:      {1e6, 1e7, 1e8, 1e9, 1e10},
	} {
		var got []int64
		for _, task := range (ScaleConfig{Limit: limit}).tasks() {
			if task.axis == AxisIDs {
				got = append(got, task.ids)
			} else {
				assert.Equal(t, min(limit, scaleRun), task.ids)
			}
		}
		assert.Equal(t, want, got)
	}
}

func TestAnInterruptedScaleReportsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	made := 0
	r, err := Scale(ctx, ScaleConfig{Limit: 2000, New: func(c Combination) (uid.Generator, error) {
		if made++; made == 3 { // the second point of the second axis
			cancel()
		}
		return ringOf(c)
	}})
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, r.Interrupted)
	require.Len(t, r.Axes, 3)
	assert.Len(t, r.Axes[0].Points, 1)
	assert.Len(t, r.Axes[1].Points, 1)
	assert.Empty(t, r.Axes[2].Points)

	var text bytes.Buffer
	require.NoError(t, WriteScaleText(&text, r))
	assert.Contains(t, text.String(), "(interrupted)")
	assert.Contains(t, text.String(), "As there are more goroutines: not measured")
}

func TestScaleRefusesInvalidSettings(t *testing.T) {
	for name, c := range map[string]ScaleConfig{
		"no New":           {},
		"negative limit":   {New: ringOf, Limit: -1},
		"negative repeats": {New: ringOf, Repeats: -1},
		"an unknown path":  {New: ringOf, Path: "scenic"},
	} {
		_, err := Scale(t.Context(), c)
		assert.ErrorIs(t, err, bench.ErrConfig, name)
	}
	_, err := Scale(t.Context(), ScaleConfig{New: func(Combination) (uid.Generator, error) { return nil, worker.ErrStore }})
	assert.ErrorIs(t, err, worker.ErrStore)
}

func TestTheMedianRunCounts(t *testing.T) {
	one := task{runs: []run{
		{Report: bench.Report{IDs: 1, Ratio: 3}}, {Report: bench.Report{IDs: 2, Ratio: 1}}, {Report: bench.Report{IDs: 3, Ratio: 2}, heap: 7, process: 9},
	}}
	assert.Equal(t, ScalePoint{IDs: 3, Ratio: 2, LowestRatio: 1, HighestRatio: 3, HeapBytes: 7, ProcessBytes: 9}, one.scalePoint())
}
