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

// What package bwmarrin's comment says of the parsers of v0.3.0: they return ids for texts that
// are none.
func TestWhatBwmarrinReadsAndIsNoID(t *testing.T) {
	base32 := func(s string) (snowflake.ID, error) { return snowflake.ParseBase32([]byte(s)) }
	base58 := func(s string) (snowflake.ID, error) { return snowflake.ParseBase58([]byte(s)) }
	for _, c := range []struct {
		text   string
		theirs func(string) (snowflake.ID, error)
		read   snowflake.ID
		ours   func(string) (uid.ID, error)
	}{
		{"", base32, 0, bwmarrin.ParseBase32},
		{"", base58, 0, bwmarrin.ParseBase58},
		{"BY", base32, 0, bwmarrin.ParseBase32},
		{"-b", base32, 1, bwmarrin.ParseBase32},
		{"2l", base58, 58, bwmarrin.ParseBase58},
		{"eyyyyyyyyyyyy", base32, math.MinInt64, bwmarrin.ParseBase32},
		{"npL6MjP8Qfd", base58, math.MinInt64, bwmarrin.ParseBase58},
		{"-1", snowflake.ParseBase2, -1, bwmarrin.ParseBase2},
		{"+1", snowflake.ParseBase36, 1, bwmarrin.ParseBase36},
		{"KzE=", snowflake.ParseBase64, 1, bwmarrin.ParseBase64},
		{"MQ==\n", snowflake.ParseBase64, 1, bwmarrin.ParseBase64},
	} {
		read, err := c.theirs(c.text)
		require.NoError(t, err, "%q", c.text)
		assert.Equal(t, c.read, read, "%q", c.text)
		_, err = c.ours(c.text)
		assert.ErrorIs(t, err, uid.ErrSyntax, "%q", c.text)
	}
}
