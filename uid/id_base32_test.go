package uid

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBase32IsFixedWidthCrockford(t *testing.T) {
	for id, text := range map[ID]string{
		0:             "0000000000000",
		31:            "000000000000Z",
		32:            "0000000000010",
		1<<60 - 1:     "0ZZZZZZZZZZZZ",
		1 << 60:       "1000000000000",
		math.MaxInt64: "7ZZZZZZZZZZZZ",
		0x123456789AB: "000014D2PF2DB",
	} {
		assert.Equal(t, text, id.Base32())
		got, err := ParseBase32(text)
		require.NoError(t, err)
		assert.Equal(t, id, got)
	}
}

func TestParseBase32TakesWhatPeopleType(t *testing.T) {
	for typed, text := range map[string]string{
		"0000014d2pf2d": "0000014D2PF2D",
		"OoOo000000000": "0000000000000",
		"IiLl111111111": "1111111111111",
		"7zzzzzzzzzzzz": "7ZZZZZZZZZZZZ",
	} {
		id, err := ParseBase32(typed)
		require.NoError(t, err)
		assert.Equal(t, text, id.Base32())
	}
}

func TestParseBase32RefusesTheRest(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"too short", "000000000000", "has 12 characters, base 32 has 13"},
		{"too long", "00000000000000", "has 14 characters"},
		{"hyphen", "000000-000000", "at character 7"},
		{"letter U", "000000000000U", "at character 13"},
		{"blank", " 000000000000", "at character 1"},
		{"not ASCII", "00000000000é", "at character 12"},
		{"above 63 bits", "8000000000000", "the first character is 0 to 7"},
		{"above 63 bits, lower case", "z000000000000", "the first character is 0 to 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id, err := ParseBase32(c.text)
			require.ErrorIs(t, err, ErrSyntax)
			assert.ErrorContains(t, err, c.says)
			assert.Zero(t, id)
		})
	}
}
