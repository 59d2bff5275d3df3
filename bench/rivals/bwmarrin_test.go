package rivals

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bwmarrin/snowflake"
	"github.com/stretchr/testify/assert"
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

// What package bwmarrin's comment says of the parsers of v0.3.0: they return ids for texts that
// are none.
func TestWhatBwmarrinReadsAndIsNoID(t *testing.T) {
	base32 := func(s string) (snowflake.ID, error) { return snowflake.ParseBase32([]byte(s)) }
	base58 := func(s string) (snowflake.ID, error) { return snowflake.ParseBase58([]byte(s)) }
	for _, c := range []struct {
		text   string
		theirs func(string) (snowflake.ID, error)
		read   snowflake.ID
		base   int
	}{
		{"", base32, 0, 32},
		{"", base58, 0, 58},
		{"BY", base32, 0, 32},
		{"-b", base32, 1, 32},
		{"2l", base58, 58, 58},
		{"eyyyyyyyyyyyy", base32, math.MinInt64, 32},
		{"npL6MjP8Qfd", base58, math.MinInt64, 58},
		{"-1", snowflake.ParseBase2, -1, 2},
		{"+1", snowflake.ParseBase36, 1, 36},
		{"KzE=", snowflake.ParseBase64, 1, 64},
		{"MQ==\n", snowflake.ParseBase64, 1, 64},
	} {
		read, err := c.theirs(c.text)
		require.NoError(t, err, "%q", c.text)
		assert.Equal(t, c.read, read, "%q", c.text)
		_, err = bwmarrin.Parse(c.text, c.base)
		assert.ErrorIs(t, err, uid.ErrSyntax, "%q", c.text)
	}
}
