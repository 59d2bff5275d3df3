package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAmounts(t *testing.T) {
	for s, want := range map[string]float64{
		"1": 1, "1000000": 1e6, "1_000_000": 1e6, "1e6": 1e6, "1M": 1e6, "1.5k": 1500, "2G": 2e9,
		"3T": 3e12,
	} {
		var v float64
		require.NoError(t, Amount(&v, true).Set(s), s)
		assert.InDelta(t, want, v, 0, s)
	}
	var v float64
	require.NoError(t, Amount(&v, false).Set("0.5"))
	assert.InDelta(t, 0.5, v, 0)
	for _, s := range []string{"", "0", "-1", "k", "1.5", "1e400", "NaN", "Inf", "1X", "1e17", "1 M"} {
		assert.ErrorIs(t, Amount(&v, true).Set(s), errAmount, s)
	}
}
