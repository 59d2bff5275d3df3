package worker

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/race"
)

var simSeed = flag.Uint64("seed", 0,
	"run one world of TestSimulation and print its schedule; 0: UID_SIM_SEEDS of them")

// TestSimulation runs many worlds. `make simulate` runs a million.
func TestSimulation(t *testing.T) {
	if *simSeed != 0 {
		w := newWorld(*simSeed, none, false, true)
		err := life(w)
		t.Log("\n" + w.trace.String())
		require.NoError(t, err)
		return
	}
	race.Skip(t) // a lane is one goroutine
	leaveGarbage(t)
	seeds, lanes := simSeeds(t), runtime.GOMAXPROCS(0)
	for lane := range lanes {
		t.Run(fmt.Sprintf("lane %d of %d", lane+1, lanes), func(t *testing.T) {
			t.Parallel()
			for seed := uint64(lane) + 1; seed <= seeds; seed += uint64(lanes) {
				if err := life(newWorld(seed, none, false, false)); err != nil {
					t.Fatalf("seed %d: %v\nagain: go test ./worker -run TestSimulation -seed %[1]d\n%[3]s", seed,
						err, traceOf(seed))
				}
			}
		})
	}
}

// life is what a world goes through: every fourth one is left by its faults in the end.
func life(w *world) error {
	defer w.close()
	if err := w.run(); err != nil || w.seed%4 > 0 {
		return err
	}
	return w.heals()
}

// leaveGarbage lets the collector run less often, for a test whose worlds are small and
// short: else it takes a third of the time.
func leaveGarbage(t *testing.T) {
	was := debug.SetGCPercent(1000)
	t.Cleanup(func() { debug.SetGCPercent(was) })
}

// simSeeds is how many worlds there are to run.
func simSeeds(t *testing.T) uint64 {
	text := os.Getenv("UID_SIM_SEEDS")
	switch {
	case text == "" && testing.Short():
		return 500
	case text == "":
		return 6000
	}
	seeds, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, "UID_SIM_SEEDS")
	return seeds
}

// traceOf is what happened in a world, for people to read.
func traceOf(seed uint64) string {
	w := newWorld(seed, none, false, true)
	life(w)
	return w.trace.String()
}

// TestSimulationOfDocuments runs worlds whose store is docstore.
func TestSimulationOfDocuments(t *testing.T) {
	race.Skip(t)
	leaveGarbage(t)
	for lane := range uint64(2) {
		t.Run(fmt.Sprint("lane ", lane), func(t *testing.T) {
			t.Parallel()
			for seed := lane + 1; seed <= simSeeds(t)/10; seed += 2 {
				if err := life(newWorldOn(seed, none, false, false, true)); err != nil {
					w := newWorldOn(seed, none, false, true, true)
					life(w)
					t.Fatalf("seed %d: %v\n%s", seed, err, w.trace.String())
				}
			}
		})
	}
}

func TestASeedIsASchedule(t *testing.T) {
	require.Equal(t, traceOf(7), traceOf(7))
	require.NotEqual(t, traceOf(7), traceOf(8))
}
