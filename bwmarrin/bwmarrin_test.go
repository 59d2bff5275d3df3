package bwmarrin

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

// above is 2^63 in each base.
var above = map[int]string{
	2: "1" + strings.Repeat("0", 63), 32: "eyyyyyyyyyyyy", 36: "1y2p0ij32e8e8", 58: "npL6MjP8Qfd",
	64: base64.StdEncoding.EncodeToString([]byte("9223372036854775808")),
}

func TestEveryIDIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
		for base := range above {
			got, err := Parse(Format(id, base), base)
			require.NoError(t, err, base)
			require.Equal(t, id, got, base)
		}
	})
}

func TestWhatIsNoIDIsRefused(t *testing.T) {
	for base, above := range above {
		for _, text := range []string{"", " ", "-1", "+1", "1 ", "1_0", "\xff", "é", "\u212a", "MQ",
			"MQ==\n", "LTE=", "MR==", strings.Repeat("!", 1<<20)} {
			if text == "MQ" && base != 64 {
				continue // digits of others
			}
			id, err := Parse(text, base)
			require.ErrorIs(t, err, uid.ErrSyntax, "base %d of %q", base, text[:min(len(text), 10)])
			assert.Less(t, len(err.Error()), 200)
			assert.Zero(t, id)
		}
		for _, text := range []string{above, Format(-1, base), Format(math.MinInt64, base)} {
			_, err := Parse(text, base)
			require.ErrorIs(t, err, uid.ErrSyntax, "base %d of %s", base, text)
			require.ErrorIs(t, err, uid.ErrRange, "base %d of %s", base, text)
		}
	}
	_, err := Parse("0", 10)
	require.ErrorIs(t, err, uid.ErrSyntax)
	assert.PanicsWithValue(t, "bwmarrin: the base is 2, 32, 36, 58 or 64, not 10", func() {
		Format(0, 10)
	})
}

func TestWhatItsParsersTakeIsTaken(t *testing.T) {
	for base, text := range map[int]string{2: "000111010", 32: "yyyb4", 36: "001M", 58: "1121",
		64: "MDA1OA=="} {
		id, err := Parse(text, base)
		require.NoError(t, err, text)
		assert.EqualValues(t, 58, id, text)
	}
}
