package sweep

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/uid"
)

// tinySlice is long enough for an id also where a busy machine starts goroutines late.
const tinySlice = 5 * time.Millisecond

func TestASweepRunsEveryCombinationInEachRound(t *testing.T) {
	var powers []int
	var parts []float64
	r, err := Run(t.Context(), small(Config{
		BoostPowers: []int{1, 2, 5}, Rounds: 4,
		New: func(c Combination) (uid.Generator, error) {
			powers = append(powers, c.BoostPower)
			return &fake{}, nil
		},
		Progress: func(p bench.Progress) { parts = append(parts, p.Part) },
	}))
	require.NoError(t, err)
	var want []int
	for round := range 4 {
		for _, i := range turns(3, round) {
			want = append(want, []int{1, 2, 5}[i])
		}
	}
	assert.Equal(t, want, powers)
	assert.IsNonDecreasing(t, parts)
	assert.EqualValues(t, 1, parts[len(parts)-1])

	assert.False(t, r.Interrupted)
	assert.Equal(t, 4, r.Rounds)
	assert.Equal(t, tinySlice.Seconds(), r.Slice)
	assert.Equal(t, 3, r.Combinations)
	require.Len(t, r.Points, 3)
	for i, p := range r.Points {
		assert.Equal(t, []int{1, 2, 5}[i], p.BoostPower)
		assert.Equal(t, "28/22/13", p.LayoutBits)
		assert.Equal(t, PathTake, p.Path)
		assert.Positive(t, p.IDsPerSecond)
		assert.EqualValues(t, 65536, p.RingIDs)
		assert.InDelta(t, p.NSPerID/p.AtomicAddNS, p.Ratio, 1e-9)
		var ratios []float64
		for _, run := range p.Runs {
			ratios = append(ratios, figure(run, "ratio"))
		}
		slices.Sort(ratios)
		require.Len(t, ratios, 4)
		assert.Equal(t, []float64{ratios[0], ratios[2], ratios[3]},
			[]float64{p.LowestRatio, p.Ratio, p.HighestRatio}, "the slower of two in the middle")
		assert.Empty(t, p.Error)
	}
}

func TestACombinationThatFailsDoesNotStopTheOthers(t *testing.T) {
	made := map[int]int{}
	r, err := Run(t.Context(), small(Config{
		BoostPowers: []int{1, 2, 3, 4}, Rounds: 3,
		New: func(c Combination) (uid.Generator, error) {
			made[c.BoostPower]++
			switch {
			case c.BoostPower == 1:
				return nil, errors.Join(uid.ErrConfig, errors.New("and why"))
			case c.BoostPower == 2 && made[2] == 2: // its second run
				return failing(), nil
			case c.BoostPower == 3:
				return stalled(), nil
			}
			return &fake{}, nil
		},
	}))
	require.NoError(t, err)
	assert.Equal(t, map[int]int{1: 1, 2: 2, 3: 1, 4: 3}, made, "what failed is not tried again")
	require.Len(t, r.Points, 4)
	var text strings.Builder
	require.NoError(t, WriteText(&text, r))
	assert.Contains(t, text.String(), "\nfailed: goroutines 2, boost power 1, padding factor 50, "+
		"layout 28/22/13, path take: uid: invalid config; and why\n")
	for i, want := range []string{"uid: invalid config", "the layout's time is over",
		"choose longer slices", ""} {
		p := r.Points[i]
		if want == "" {
			assert.Empty(t, p.Error)
			assert.Len(t, p.Runs, 3)
			continue
		}
		assert.Contains(t, p.Error, want)
		assert.Zero(t, p.IDsPerSecond)
		assert.Empty(t, p.Runs)
	}
}

func TestAnInterruptedSweepReportsWhatItHas(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	var last *fake
	made := 0
	r, err := Run(ctx, small(Config{
		BoostPowers: []int{1, 2, 3, 4},
		New: func(Combination) (uid.Generator, error) {
			if made++; made == 3 {
				cancel(stop)
			}
			last = &fake{}
			return last, nil
		},
	}))
	require.ErrorIs(t, err, stop)
	assert.Equal(t, 3, made)
	assert.EqualValues(t, 1, last.closes.Load())
	assert.True(t, r.Interrupted)
	assert.Len(t, r.Points, 2)
	assert.Equal(t, 4, r.Combinations, "what was meant")
}

func TestEachTaskBeginsAndEndsARound(t *testing.T) {
	const n = 5
	first, last := map[int]bool{}, map[int]bool{}
	for round := range 2 * n {
		order := turns(n, round)
		assert.ElementsMatch(t, []int{0, 1, 2, 3, 4}, order)
		first[order[0]], last[order[n-1]] = true, true
	}
	assert.Len(t, first, n)
	assert.Len(t, last, n)
	assert.Equal(t, []int{0, 1, 2, 3, 4}, turns(n, 0))
	assert.Equal(t, []int{4, 3, 2, 1, 0}, turns(n, 1))
}
