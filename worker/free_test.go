package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/worker/store"
)

// A row that is freed keeps its High, and only Steal takes one from a holder that is alive.
func TestFreeAndSteal(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, s *env) {
		s.claim.Owner = "its holder"
		l := s.lease()
		operator := s.claim
		operator.Owner = "an operator"
		_, err := Free(t.Context(), s.network(), operator, need.pool(), 0)
		require.ErrorIs(t, err, ErrHeld)
		assert.NoError(t, l.Err())

		v, err := Steal(t.Context(), s.network(), operator, need.pool(), 0)
		require.NoError(t, err)
		require.Len(t, v.Rows, 1, "the row as it was")
		row := s.row(0)
		assert.False(t, row.Held)
		assert.Equal(t, v.Rows[0].High, row.High, "all that was granted counts as minted")
		s.work(l, time.Minute)
		assert.ErrorIs(t, l.Err(), ErrFenced)
		assert.NotErrorIs(t, l.Err(), ErrRolledBack, "the store lost nothing")

		_, err = Free(t.Context(), s.network(), operator, need.pool(), 0)
		require.NoError(t, err, "nobody holds it")
		assert.Equal(t, row, s.row(0), "and it stays as it is")
		_, err = Free(t.Context(), s.network(), operator, need.pool(), 1)
		require.ErrorIs(t, err, store.ErrClaim)
		lo, _ := s.lease().Grant()
		assert.Greater(t, lo, row.High)
	})
}
