package uid

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/worker"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A load that borrows ever more is worth one line, and the clock's catching up one more.
// Of several sequences the one that is farthest ahead counts.
func TestADefaultGeneratorTellsThatIdsAreFarAhead(t *testing.T) {
	for _, trust := range []time.Duration{0, trust} {
		t.Run(trust.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := testConfig()
				c.TickFull = policy.BorrowAhead(math.MaxInt64)
				log := logTo(&c)
				g, err := newDefault(t.Context(), worker.Static(3), c, trust)
				require.NoError(t, err)
				defer g.Close()
				lines := func() (warn, info int) {
					synctest.Wait()
					return strings.Count(log.String(), "level=WARN msg=\"ids are far ahead of the clock\""),
						strings.Count(log.String(), "level=INFO msg=\"the clock has caught up with the ids\"")
				}
				told := func(warn, info int) {
					t.Helper()
					warned, informed := lines()
					assert.Equal(t, []int{warn, info}, []int{warned, informed}, log)
				}
				for round := range 2 {
					take(t, g, 66*16)
					told(round, round) // up to 65 seconds ahead is a burst
					take(t, g, 1)
					told(round+1, round)
					take(t, g, 300*16)
					time.Sleep(4 * time.Minute)
					take(t, g, 1)
					_, err := g.Keyed("of the present").GetUID()
					require.NoError(t, err)
					told(round+1, round)
					time.Sleep(10 * time.Minute)
					take(t, g, 1)
					take(t, g, 1)
					told(round+1, round+1)
					time.Sleep(time.Second)
				}
				assert.Contains(t, log.String(), " ahead=1m6s until=2000-01-01T00:01:06")
			})
		})
	}
}

// Ids that go on where they were are far ahead when the clock was set back far.
func TestADefaultGeneratorTellsThatTheClockWasSetBackFar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := testConfig()
		clock := clockOf(c.Layout)
		c.Now, c.ClockBack = clock.Now, policy.GoOn
		log := logTo(&c)
		g, err := NewDefault(t.Context(), worker.Static(3), c)
		require.NoError(t, err)
		defer g.Close()
		take(t, g, 1)
		clock.step(-time.Hour)
		take(t, g, 10)
		synctest.Wait()
		far := `"ids are far ahead of the clock" ahead=1h0m0s`
		assert.Equal(t, 1, strings.Count(log.String(), far), log)
	})
}
