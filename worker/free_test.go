package worker

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// A fail-over to a server whose clock is behind by the slack, and the first to come
// is an operator who frees the row. Its last holder uses its grant up.
func TestFreeBeginsAnEpochBehindTheLastTickThatMayBeLost(t *testing.T) {
	l := newSchedule(t, 1)
	backup := l.mem.Snapshot()
	l.tick = 100
	a := l.actor("A").acquire()
	l.mem.Rollback(backup)
	l.mem.Restart("second")
	l.tick -= 5
	c := Claim{Logger: slog.New(slog.DiscardHandler)}
	_, err := Steal(t.Context(), l.mem, c, schedulePool, 0)
	require.NoError(t, err)
	require.Equal(t, "second", l.view(0, 0).Epoch)
	a.mint(1000)
	l.tick += 100
	b := l.actor("B").acquire()
	b.mint(1000)
	lo, _ := b.grants()
	assert.Equal(t, a.last+1, l.view(0, 0).Floor)
	assert.Greater(t, lo, rel(a.last))
}

// A row that is freed keeps its High, and only Steal takes one from a holder that is alive.
func TestFreeAndSteal(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.claim.Owner = "its holder"
		l := s.lease()
		operator := s.claim
		operator.Owner = "an operator"
		_, err := Free(t.Context(), s.flaky, operator, need.pool(), 0)
		require.ErrorIs(t, err, ErrHeld)
		assert.NoError(t, l.Err())

		v, err := Steal(t.Context(), s.flaky, operator, need.pool(), 0)
		require.NoError(t, err)
		require.Len(t, v.Rows, 1, "the row as it was")
		row := s.row(0)
		assert.False(t, row.Held)
		assert.Equal(t, v.Rows[0].High, row.High, "all that was granted counts as minted")
		s.work(l, time.Minute)
		assert.ErrorIs(t, l.Err(), ErrFenced)
		assert.NotErrorIs(t, l.Err(), ErrRolledBack, "the store lost nothing")

		_, err = Free(t.Context(), s.flaky, operator, need.pool(), 0)
		require.NoError(t, err, "nobody holds it")
		assert.Equal(t, row, s.row(0), "and it stays as it is")
		_, err = Free(t.Context(), s.flaky, operator, need.pool(), 1)
		require.ErrorIs(t, err, store.ErrClaim)
		lo, _ := s.lease().Grant()
		assert.Greater(t, lo, row.High)
	})
}
