package worker

import (
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
)

func TestANamespaceIsMadeInOneCall(t *testing.T) {
	for _, unit := range []time.Duration{time.Millisecond, time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			need := Need{Unit: unit, MaxID: 700, Fingerprint: "a layout"}
			s := memstore.New()
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() { assert.NoError(t, MakeNamespace(t.Context(), s, "", need)) })
			}
			all.Wait()
			v, err := s.View(t.Context(), "default", 0, math.MaxInt64)
			require.NoError(t, err)
			assert.Len(t, v.Rows, 701)

			begin := time.Now()
			l, err := Leased(s, Claim{Logger: discard}).Assign(t.Context(), need)
			require.NoError(t, err)
			defer l.Release(t.Context(), math.MinInt64)
			assert.LessOrEqual(t, time.Since(begin), 7*time.Second+2*unit)

			need.Fingerprint = "another layout"
			assert.ErrorIs(t, MakeNamespace(t.Context(), s, "", need), ErrNamespace)
		})
	}
}

// Whoever drops the tables under live processes does not make their ids come twice.
func TestANamespaceThatIsMadeAgainBeginsAboveTheOneThatIsGone(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		l := s.lease()
		_, granted := l.Grant()
		s.Store = memstore.New()
		require.NoError(t, MakeNamespace(t.Context(), s.Store, "default", need))
		lo, _ := s.lease().Grant()
		assert.Greater(t, lo, granted)
	})
}

func TestANamespaceThatSomebodyMadeStaysAsItIs(t *testing.T) {
	inBubble(t, 3, func(t *testing.T, s *env) {
		before, err := s.View(t.Context(), "default", 0, 1023)
		require.NoError(t, err)
		require.NoError(t, MakeNamespace(t.Context(), s.Store, "", need))
		after, err := s.View(t.Context(), "default", 0, 1023)
		require.NoError(t, err)
		assert.Equal(t, before, after)
		s.set(func(f *flaky) { f.down = true })
		assert.ErrorIs(t, MakeNamespace(t.Context(), s.flaky, "", need), errDown)
	})
}
