package worker

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The zero class is the one that promises least.
func TestClassesAreShownByName(t *testing.T) {
	text, err := json.Marshal([]Class{0, FencedLossy, Fenced, NeverReused, 9})
	require.NoError(t, err)
	assert.JSONEq(t, `["Unfenced", "FencedLossy", "Fenced", "NeverReused", "Class(9)"]`, string(text))
}

// assertForever checks that l is held without a limit in time.
func assertForever(t *testing.T, l Lease) {
	t.Helper()
	all := func() {
		lo, hi := l.Grant()
		assert.Equal(t, int64(math.MinInt64), lo)
		assert.Equal(t, int64(math.MaxInt64), hi)
		assert.Nil(t, l.Changed())
		assert.NoError(t, l.Err())
	}
	all()
	l.Want(math.MaxInt64)
	all()
	require.NoError(t, l.Release(t.Context(), 7))
	require.NoError(t, l.Release(t.Context(), math.MinInt64), "the second release")
	all()
}
