package properties

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// The widest layouts and times there are: nothing overflows.
func TestMigrateOverflowsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := anyLayout().Draw(t, "from"), anyLayout().Draw(t, "to")
		at := anyTime().Draw(t, "at")
		m, err := uid.Migrate(from, to, at, uid.MigrateOptions{Ahead: time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "ahead"))})
		if err != nil {
			require.ErrorIs(t, err, uid.ErrTimeOver)
			return
		}
		if !m.Safe {
			for _, id := range []uid.ID{m.First, m.Last} {
				for _, l := range []uid.Layout{from, to} {
					_, err := l.Parse(id)
					require.NoError(t, err)
				}
			}
			require.False(t, m.Since.After(m.Until))
		}
		for _, c := range m.Changes {
			again, err := uid.Migrate(from, c.To, at, uid.MigrateOptions{Ahead: m.Options.Ahead, FirstWorker: c.FirstWorker})
			require.NoError(t, err)
			require.True(t, again.Safe)
		}
	})
}
