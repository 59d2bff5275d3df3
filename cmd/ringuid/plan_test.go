package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

var (
	midnight = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	morning  = midnight.Add(6 * time.Hour)
)

func anyRequirements() *rapid.Generator[requirements] {
	return rapid.Custom(func(t *rapid.T) requirements {
		power := func(name string, most float64) float64 { // any magnitude as likely as another
			return math.Pow(2, rapid.Float64Range(0, most).Draw(t, name))
		}
		return requirements{
			nodes:        int64(power("log nodes", 30)),
			rate:         power("log ids a second", 40) - 1,
			startsPerDay: max(0, power("log starts a day", 30)-2), // half of all small ones are leased
			years:        power("log years", 12) / 16,
			from:         morning,
		}
	})
}

// holds is the slow model: does a layout grant the requirements, counted out?
func holds(l uid.Layout, w requirements) bool {
	ids := math.Pow(2, float64(l.SeqBits)) * float64(time.Second) / float64(l.Unit)
	starts := 0.0
	firstWorker := 0.0
	if w.startsPerDay > 0 {
		starts, firstWorker = w.startsPerDay*w.years*365.25, 1
	}
	lastWorker := firstWorker + float64(w.nodes) + starts - 1
	years := float64(l.End().Unix()-morning.Unix()) / (365.25 * 86400)
	return ids >= w.rate && lastWorker <= math.Pow(2, float64(l.WorkerBits))-1 &&
		years >= w.years*(1-1e-9)
}

// SnowflakeLayout comes first where it fits, then what is balanced, with ticks of a millisecond
// first.
func TestEveryFitGrantsAllRequirementsAndAConflictIsReal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyRequirements().Draw(t, "requirements")
		fits, err := w.layouts()
		if err != nil {
			requireNothingFits(t, w)
			return
		}
		require.NotEmpty(t, fits)
		require.Equal(t, holds(uid.SnowflakeLayout(), w), fits[0].Name == "SnowflakeLayout")
		rank := func(f fit) int {
			if f.Name == "SnowflakeLayout" {
				return -1
			}
			return slices.Index(units[:], f.layout.Unit)
		}
		require.True(t, slices.IsSortedFunc(fits, func(a, b fit) int { return rank(a) - rank(b) }))
		seen := map[uid.Layout]bool{}
		for _, f := range fits {
			require.NoError(t, f.layout.Validate())
			require.True(t, holds(f.layout, w), "%s: %v", f.Name, f.layout)
			require.False(t, seen[f.layout], "%v is listed twice", f.layout)
			seen[f.layout] = true
			require.GreaterOrEqual(t, f.IDsPerSecond, w.rate)
			require.GreaterOrEqual(t, f.WorkerIDsLeft, int64(0))
		}
	})
}

// requireNothingFits tries every split of the 63 bits in every unit.
func requireNothingFits(t *rapid.T, w requirements) {
	for _, unit := range units {
		for timeBits := 1; timeBits <= 63; timeBits++ {
			for workerBits := 0; timeBits+workerBits <= 63 && workerBits < 63; workerBits++ {
				l := uid.Layout{Epoch: midnight, Unit: unit, TimeBits: timeBits, WorkerBits: workerBits,
					SeqBits: 63 - timeBits - workerBits}
				if holds(l, w) {
					t.Fatalf("%v fits", l)
				}
			}
		}
	}
}
