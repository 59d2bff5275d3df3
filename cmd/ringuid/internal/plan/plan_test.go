package plan

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/preset"
	"github.com/ringuid/ringuid/uid"
)

var (
	midnight = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)
	now      = midnight.Add(6 * time.Hour)
)

func anyRequirements() *rapid.Generator[Requirements] {
	return rapid.Custom(func(t *rapid.T) Requirements {
		power := func(name string, most float64) float64 { // any magnitude as likely as another
			return math.Pow(2, rapid.Float64Range(0, most).Draw(t, name))
		}
		return Requirements{
			Nodes:        int64(power("log nodes", 30)),
			IDsPerSecond: power("log ids a second", 40) - 1,
			StartsPerDay: max(0, power("log starts a day", 30)-2), // half of all small ones are leased
			Years:        power("log years", 12) / 16,
		}
	})
}

// grants is the slow model: does a layout grant the requirements, counted out?
func grants(l uid.Layout, w Requirements) bool {
	ids := math.Pow(2, float64(l.SeqBits)) * float64(time.Second) / float64(l.Unit)
	starts := 0.0
	firstWorker := 0.0
	nodes := float64(w.Nodes)
	if w.StartsPerDay == 0 && l.Unit >= time.Minute {
		nodes *= 2 // one that comes back waits for the next tick
	}
	if w.StartsPerDay > 0 {
		starts, firstWorker = w.StartsPerDay*w.Years*365.25, 1
	}
	lastWorker := firstWorker + nodes + starts - 1
	years := float64(l.End().Unix()-now.Unix()) / (365.25 * 86400)
	return ids >= w.IDsPerSecond && lastWorker <= math.Pow(2, float64(l.WorkerBits))-1 &&
		years >= w.Years*(1-1e-9)
}

func TestEveryFitGrantsAllRequirementsAndAConflictIsReal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := anyRequirements().Draw(t, "requirements")
		fits, err := Layouts(w, now)
		if err != nil {
			var conflict *Conflict
			require.ErrorAs(t, err, &conflict)
			requireNothingFits(t, w)
			require.Greater(t, bitsOf(conflict.Need), 63)
			leased := w
			leased.StartsPerDay = 0
			_, err = Layouts(leased, now)
			require.Equal(t, w.StartsPerDay > 0 && err == nil, conflict.Leased)
			return
		}
		require.NotEmpty(t, fits)
		requirePresetsThatFit(t, fits, w)
		requireOrder(t, fits, w)
		seen := map[uid.Layout]bool{}
		for _, f := range fits {
			require.NoError(t, f.Layout.Validate())
			require.True(t, grants(f.Layout, w), "%s: %v", f.Name, f.Layout)
			require.False(t, seen[f.Layout], "%v is listed twice", f.Layout)
			seen[f.Layout] = true
			require.Equal(t, f.Layout.End(), f.End)
			require.GreaterOrEqual(t, f.Rate, w.IDsPerSecond)
			require.GreaterOrEqual(t, f.Restarts, int64(0))
		}
	})
}

// requirePresetsThatFit looks for each preset: it is listed exactly when it fits.
func requirePresetsThatFit(t *rapid.T, fits []Fit, w Requirements) {
	listed := map[string]bool{}
	for _, f := range fits {
		for _, name := range strings.Split(f.Name, ", ") {
			listed[name] = true
		}
	}
	for _, name := range preset.Names() {
		c, err := preset.Named(name)
		require.NoError(t, err)
		fits := grants(c.Layout, w) && rate(c) >= w.IDsPerSecond && !c.Layout.Epoch.After(now)
		require.Equal(t, fits, listed[name], name)
	}
}

// requireOrder: SnowflakeLayout comes first where it fits, then what is balanced, with ticks of a
// millisecond first, then the default layout, and other systems last.
func requireOrder(t *rapid.T, fits []Fit, w Requirements) {
	require.Equal(t, grants(uid.SnowflakeLayout(), w), fits[0].Name == "SnowflakeLayout")
	rank := func(f Fit) int {
		switch f.Name {
		case "SnowflakeLayout":
			return 0
		case "balanced":
			return 1 + slices.Index(units[:], f.Layout.Unit)
		case "default":
			return 1 + len(units)
		}
		return 2 + len(units)
	}
	require.True(t, slices.IsSortedFunc(fits, func(a, b Fit) int { return rank(a) - rank(b) }), fits)
}

// requireNothingFits tries every split of the 63 bits in every unit.
func requireNothingFits(t *rapid.T, w Requirements) {
	for _, unit := range units {
		for timeBits := 1; timeBits <= 63; timeBits++ {
			for workerBits := 0; timeBits+workerBits <= 63 && workerBits < 63; workerBits++ {
				l := uid.Layout{Epoch: midnight, Unit: unit, TimeBits: timeBits, WorkerBits: workerBits,
					SeqBits: 63 - timeBits - workerBits}
				if grants(l, w) {
					t.Fatalf("%v fits", l)
				}
			}
		}
	}
}

func TestRestartsLeftAreCountedFromTheWorkerBits(t *testing.T) {
	fits, err := Layouts(Requirements{Nodes: 10, StartsPerDay: 1000, IDsPerSecond: 1000, Years: 7},
		now)
	require.NoError(t, err)
	f := byDefault(t, fits)
	assert.EqualValues(t, 1<<22-1-10, f.Restarts, "the row ids begin at 1")
	assert.Equal(t, "2038-05-15", f.RestartsEnd.Format(time.DateOnly), "4194 days of 1000 starts")

	fits, err = Layouts(Requirements{Nodes: 10, IDsPerSecond: 1000, Years: 7}, now)
	require.NoError(t, err)
	assert.EqualValues(t, 1<<22-10, byDefault(t, fits).Restarts)
	assert.Zero(t, byDefault(t, fits).RestartsEnd)
}

// byDefault is the default layout's.
func byDefault(t *testing.T, fits []Fit) Fit {
	t.Helper()
	i := slices.IndexFunc(fits, func(f Fit) bool { return f.Name == "default" })
	require.GreaterOrEqual(t, i, 0)
	return fits[i]
}

func TestALayoutBeginsOnTheFirstDay(t *testing.T) {
	evening := time.Date(2028, 2, 28, 20, 0, 0, 0, time.FixedZone("", -8*3600)) // 29 February in UTC
	fits, err := Layouts(Requirements{Nodes: 16, StartsPerDay: 50, IDsPerSecond: 100_000, Years: 10},
		evening)
	require.NoError(t, err)
	require.NotEmpty(t, fits)
	assert.Equal(t, time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), fits[0].Layout.Epoch)
}

func TestRequirementsThatMakeNoSenseAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Requirements){
		"no nodes":          func(w *Requirements) { w.Nodes = 0 },
		"negative nodes":    func(w *Requirements) { w.Nodes = -5 },
		"negative starts":   func(w *Requirements) { w.StartsPerDay = -1 },
		"starts not number": func(w *Requirements) { w.StartsPerDay = math.NaN() },
		"endless rate":      func(w *Requirements) { w.IDsPerSecond = math.Inf(1) },
		"negative rate":     func(w *Requirements) { w.IDsPerSecond = -1 },
		"no years":          func(w *Requirements) { w.Years = 0 },
		"years not number":  func(w *Requirements) { w.Years = math.NaN() },
		"too many years":    func(w *Requirements) { w.Years = 1e9 },
	} {
		t.Run(name, func(t *testing.T) {
			w := Requirements{Nodes: 10, StartsPerDay: 10, IDsPerSecond: 10, Years: 10}
			_, err := Layouts(w, now)
			require.NoError(t, err)
			change(&w)
			fits, err := Layouts(w, now)
			require.ErrorIs(t, err, ErrRequirements)
			assert.Empty(t, fits)
		})
	}
}

func TestTheLargestRequirementsOverflowNothing(t *testing.T) {
	_, err := Layouts(Requirements{
		Nodes: math.MaxInt64, StartsPerDay: math.MaxFloat64, IDsPerSecond: math.MaxFloat64,
		Years: maxYears,
	}, now)
	var conflict *Conflict
	require.True(t, errors.As(err, &conflict))
	assert.False(t, conflict.Leased)
	assert.ErrorContains(t, err, "worker 64 + sequence 64")
}
