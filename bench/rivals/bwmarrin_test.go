package rivals

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bwmarrin/snowflake"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/bwmarrin"
	"github.com/ringuid/ringuid/uid"
)

// Package bwmarrin stands in for bwmarrin's texts, so it is held against them here, where
// theirs is required anyway.
func TestTextsAreThoseOfBwmarrin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ids := []int64{0, 1, math.MaxInt64}
	for range 20_000 {
		ids = append(ids, random.Int64()>>random.IntN(63))
	}
	for _, n := range ids {
		theirs, id := snowflake.ParseInt64(n), uid.ID(n)
		for base, text := range map[int]string{2: theirs.Base2(), 32: theirs.Base32(),
			36: theirs.Base36(), 58: theirs.Base58(), 64: theirs.Base64()} {
			require.Equal(t, text, bwmarrin.Format(id, base))
			got, err := bwmarrin.Parse(text, base)
			require.NoError(t, err)
			require.Equal(t, id, got)
		}
	}
}
