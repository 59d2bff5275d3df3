package worker

import (
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// Of rows that cannot mint yet, the one that can soonest, whatever is preferred; of
// rows that can mint now, the preferred one.
func TestSoonestBeatsPreferred(t *testing.T) {
	row := func(id, high int64) store.Row { return store.Row{Worker: id, High: high} }
	for name, c := range map[string]struct {
		floor int64
		rows  []store.Row // preferred first
		want  int64
	}{
		"all may now":               {0, []store.Row{row(7, 99), row(3, 10), row(5, 99)}, 7},
		"the preferred may not":     {0, []store.Row{row(7, 100), row(3, 99), row(5, 10)}, 3},
		"none may":                  {0, []store.Row{row(7, 130), row(3, 110), row(5, 110)}, 3},
		"a floor ahead, all alike":  {120, []store.Row{row(7, 100), row(3, 10)}, 7},
		"a floor ahead, and beyond": {120, []store.Row{row(7, 130), row(3, 119)}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			v := store.View{Pool: need.pool(), Floor: c.floor, Now: time.Unix(100, 0)}
			claim := Claim{Prefer: func(a, b store.Row, _ string) int {
				return slices.Index(c.rows, a) - slices.Index(c.rows, b)
			}}
			assert.Equal(t, c.want, best(v, slices.Clone(c.rows), claim, store.Nonce{1}).Worker)
		})
	}
}

func TestSpreadPrefersTheOwnersRowAndLowGrants(t *testing.T) {
	inBubble(t, 64, func(t *testing.T, s *env) {
		start := func(owner string) Lease {
			time.Sleep(time.Second) // starts follow each other
			return assign(t, Leased(s, Claim{Owner: owner, ExistingOnly: true,
				Logger: slog.New(slog.DiscardHandler)}))
		}
		first := start("me")
		mine := first.WorkerID()
		require.NoError(t, first.Release(t.Context(), nowTick())) // it minted
		for range 5 {
			l := start("")
			defer l.Release(t.Context(), math.MinInt64)
			assert.NotEqual(t, mine, l.WorkerID(), "its grant reaches further than the others'")
		}
		again, other := start("me"), start("me")
		defer again.Release(t.Context(), math.MinInt64)
		defer other.Release(t.Context(), math.MinInt64)
		assert.Equal(t, mine, again.WorkerID())
		assert.NotEqual(t, mine, other.WorkerID(), "an owner is a preference, not a claim")
	})
}
