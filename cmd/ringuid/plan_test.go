package main

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/cmd/internal/cli"
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

func TestWorkerIDsLeftAreCountedFromTheWorkerBits(t *testing.T) {
	l := uid.Layout{Epoch: midnight, Unit: time.Second, TimeBits: 28, WorkerBits: 22, SeqBits: 13}
	f := requirements{nodes: 10, startsPerDay: 1000, from: morning}.fit("", l)
	assert.EqualValues(t, 1<<22-1-10, f.WorkerIDsLeft, "the row ids begin at 1")
	assert.Equal(t, "2038-05-15", f.WorkerIDsEnd[:10], "4194 days of 1000 starts")

	f = requirements{nodes: 10, from: morning}.fit("", l)
	assert.EqualValues(t, 1<<22-10, f.WorkerIDsLeft)
	assert.Empty(t, f.WorkerIDsEnd)
}

func TestALayoutBeginsOnTheFirstDay(t *testing.T) {
	evening := time.Date(2028, 2, 28, 20, 0, 0, 0, time.FixedZone("", -8*3600)) // 29 February in UTC
	fits, err := requirements{nodes: 16, startsPerDay: 50, rate: 100_000, years: 10,
		from: evening}.layouts()
	require.NoError(t, err)
	assert.Equal(t, time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), fits[0].Epoch)
}

func TestRequirementsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, change := range map[string]func(*requirements){
		"negative nodes":    func(w *requirements) { w.nodes = -5 },
		"negative starts":   func(w *requirements) { w.startsPerDay = -1 },
		"endless starts":    func(w *requirements) { w.startsPerDay = math.Inf(1) },
		"starts not number": func(w *requirements) { w.startsPerDay = math.NaN() },
		"no years":          func(w *requirements) { w.years = 0 },
		"years not number":  func(w *requirements) { w.years = math.NaN() },
		"too many years":    func(w *requirements) { w.years = 1e9 },
	} {
		w := requirements{nodes: 10, startsPerDay: 10, rate: 10, years: 10, from: morning}
		change(&w)
		_, err := w.layouts()
		assert.Equal(t, cli.Usage, cli.ExitCode(t.Context(), err), name)
	}
}

func TestTheLargestRequirementsOverflowNothing(t *testing.T) {
	_, err := requirements{nodes: math.MaxInt64, startsPerDay: math.MaxFloat64,
		rate: math.MaxFloat64, years: maxYears, from: morning}.layouts()
	assert.ErrorContains(t, err, "worker 64 + sequence 64")
}
