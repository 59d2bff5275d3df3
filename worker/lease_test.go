package worker

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClassesAreReadAsTheyAreWritten(t *testing.T) {
	for class, name := range map[Class]string{
		Unfenced:    "Unfenced",
		FencedLossy: "FencedLossy",
		Fenced:      "Fenced",
		NeverReused: "NeverReused",
	} {
		assert.Equal(t, name, class.String())
		text, err := json.Marshal(class)
		require.NoError(t, err)
		assert.JSONEq(t, `"`+name+`"`, string(text))
		var read Class
		require.NoError(t, json.Unmarshal(text, &read))
		assert.Equal(t, class, read)
	}
	assert.Equal(t, "Class(9)", Class(9).String())
	var c Class
	require.ErrorContains(t, json.Unmarshal([]byte(`"fenced"`), &c),
		`"fenced" is not a class: want one of Unfenced, FencedLossy`)
}

func TestZeroClassPromisesLeast(t *testing.T) {
	var c Class
	assert.Equal(t, Unfenced, c)
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
