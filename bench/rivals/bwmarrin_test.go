package main

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
		for _, form := range []struct {
			theirs, ours string
			parse        func(string) (uid.ID, error)
		}{
			{theirs.Base2(), bwmarrin.Base2(id), bwmarrin.ParseBase2},
			{theirs.Base32(), bwmarrin.Base32(id), bwmarrin.ParseBase32},
			{theirs.Base36(), bwmarrin.Base36(id), bwmarrin.ParseBase36},
			{theirs.Base58(), bwmarrin.Base58(id), bwmarrin.ParseBase58},
			{theirs.Base64(), bwmarrin.Base64(id), bwmarrin.ParseBase64},
		} {
			require.Equal(t, form.theirs, form.ours)
			got, err := form.parse(form.theirs)
			require.NoError(t, err)
			require.Equal(t, id, got)
		}
	}
}
