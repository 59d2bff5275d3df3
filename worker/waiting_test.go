package worker

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/memstore"
	"github.com/ringuid/ringuid/worker/store"
)

// The first start after a namespace was made behind others that may have been.
func TestAssignWaitsForANamespaceThatWasJustMade(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.Store = memstore.New()
		ns, err := NewNamespace("default", need, 0, 3, 0)
		require.NoError(t, err)
		require.NoError(t, s.Init(t.Context(), ns, InitOptions{Earlier: 5 * time.Minute}))
		begin := time.Now()
		v, err := s.View(t.Context(), "default", 0, 3)
		require.NoError(t, err)
		free, parked := v.Parked(v.Rows[0])
		require.True(t, parked)

		l := s.lease()
		assert.False(t, time.Now().Before(free))
		assert.Less(t, time.Since(free), time.Second)
		assert.Greater(t, time.Since(begin), 3*time.Minute)
		lo, _ := l.Grant()
		assert.GreaterOrEqual(t, lo, v.Floor)

		lines := s.log.lines(slog.LevelWarn)
		assert.Len(t, lines, 3, "at once, after one minute, and after two more")
		assert.Contains(t, lines[0], "waiting for a worker id")
		assert.Contains(t, lines[0], "taken at "+stamp(free))
	})
}

// Whatever keeps the rows of nobody from being taken.
func TestAssignWaitsForARowThatNobodyHolds(t *testing.T) {
	for name, park := range map[string]func(t *testing.T, s *env){
		"after a quarantine": func(t *testing.T, s *env) {
			require.NoError(t, s.Quarantine(t.Context(), "default", nowTick()+90))
		},
		"released by one that borrowed all": func(t *testing.T, s *env) {
			l := s.lease()
			_, hi := l.Grant()
			require.NoError(t, l.Release(t.Context(), hi))
		},
		"of one that died": func(t *testing.T, s *env) {
			s.Edit("default", 0, func(r *store.Row) {
				r.Held, r.Expires, r.High = true,
					time.Now().Add(-time.Hour), nowTick()+90
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, 1, func(t *testing.T, s *env) {
				park(t, s)
				high := s.row(0).High
				lo, _ := s.lease().Grant()
				assert.Greater(t, lo, high)
				assert.Len(t, s.log.lines(slog.LevelWarn), 1)
			})
		})
	}
}

// A row that was held comes free while another one is waited for.
func TestAssignTakesARowThatIsReleasedWhileItWaits(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, s *env) {
		held := s.lease()
		other := 1 - held.WorkerID()
		s.Edit("default", other, func(r *store.Row) { r.High += 1e6 })
		time.AfterFunc(8*time.Second,
			func() { assert.NoError(t, held.Release(context.Background(), nowTick())) })
		begin := time.Now()
		assert.Equal(t, held.WorkerID(), s.lease().WorkerID())
		assert.LessOrEqual(t, time.Since(begin), 16*time.Second)
	})
}

func TestTheEndOfAContextSaysWhatWasWaitedFor(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		require.NoError(t, s.Quarantine(t.Context(), "default", nowTick()+1000))
		_, err := s.patiently(time.Minute)
		require.ErrorIs(t, err, ErrAllHeld)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "the first can be taken at "+stamp(bubbleBegin.Add(940*time.Second)))

		s.set(func(f *flaky) { f.lossy = 100 }) // it ends in a call, and nothing was waited for
		_, err = s.patiently(time.Second)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, ErrAllHeld)

		s.set(func(f *flaky) { f.lossy = 0 })
		time.AfterFunc(500*time.Millisecond, func() { s.set(func(f *flaky) { f.lossy = 100 }) })
		_, err = s.patiently(6 * time.Second)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorIs(t, err, ErrAllHeld, "it ends in a call, and a row was waited for")
	})
}

var bubbleBegin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Those who wait are alive, and hold nothing: who only waits for them fails.
func TestAssignDoesNotWaitForTheLiving(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.lease()
		begin := time.Now()
		_, err := Leased(s.flaky, s.claim).Assign(t.Context(), need)
		require.ErrorIs(t, err, ErrAllHeld)
		synctest.Wait()
		assert.Zero(t, time.Since(begin))
	})
}
