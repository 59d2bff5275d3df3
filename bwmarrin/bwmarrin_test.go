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

// forms are all there are.
var forms = map[string]struct {
	format func(uid.ID) string
	parse  func(string) (uid.ID, error)
	above  string // 2^63
}{
	"base 2":  {Base2, ParseBase2, "1" + strings.Repeat("0", 63)},
	"base 32": {Base32, ParseBase32, "eyyyyyyyyyyyy"},
	"base 36": {Base36, ParseBase36, "1y2p0ij32e8e8"},
	"base 58": {Base58, ParseBase58, "npL6MjP8Qfd"},
	"base 64": {Base64, ParseBase64, base64.StdEncoding.EncodeToString([]byte("9223372036854775808"))},
}

func TestEveryIDIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := uid.ID(rapid.Int64Range(0, math.MaxInt64).Draw(t, "id"))
		for name, f := range forms {
			got, err := f.parse(f.format(id))
			require.NoError(t, err, name)
			require.Equal(t, id, got, name)
		}
	})
}

func TestWhatIsNoIDIsRefused(t *testing.T) {
	for name, f := range forms {
		for _, text := range []string{"", " ", "-1", "+1", "1 ", "1_0", "\xff", "é", "\u212a", "MQ",
			"MQ==\n", "LTE=", strings.Repeat("!", 1<<20)} {
			if text == "MQ" && name != "base 64" {
				continue // digits of others
			}
			id, err := f.parse(text)
			require.ErrorIs(t, err, uid.ErrSyntax, "%s of %q", name, text[:min(len(text), 10)])
			assert.Less(t, len(err.Error()), 200)
			assert.Zero(t, id)
		}
		for _, text := range []string{f.above, f.format(-1), f.format(math.MinInt64)} {
			_, err := f.parse(text)
			require.ErrorIs(t, err, uid.ErrSyntax, "%s of %s", name, text)
			require.ErrorIs(t, err, uid.ErrRange, "%s of %s", name, text)
		}
	}
}

func TestWhatItsParsersTakeIsTaken(t *testing.T) {
	for text, parse := range map[string]func(string) (uid.ID, error){
		"000111010": ParseBase2, "yyyb4": ParseBase32, "001M": ParseBase36, "1121": ParseBase58,
		"MDA1OA==": ParseBase64,
	} {
		id, err := parse(text)
		require.NoError(t, err, text)
		assert.EqualValues(t, 58, id, text)
	}
}
