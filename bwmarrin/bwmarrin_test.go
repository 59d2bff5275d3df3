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

// What github.com/bwmarrin/snowflake v0.3.0 gave when it was run.
func TestTheTextsAreBwmarrins(t *testing.T) {
	for _, golden := range []struct {
		id    uid.ID
		texts [5]string
	}{
		{0, [5]string{"0", "y", "0", "1", "MA=="}},
		{1, [5]string{"1", "b", "1", "2", "MQ=="}},
		{31, [5]string{"11111", "9", "v", "x", "MzE="}},
		{32, [5]string{"100000", "by", "w", "y", "MzI="}},
		{57, [5]string{"111001", "b3", "1l", "Z", "NTc="}},
		{58, [5]string{"111010", "b4", "1m", "21", "NTg="}},
		{1541815603606036480, [5]string{
			"1010101100101101000010001111101100010000101111010000000000000",
			"bk3pbd7tbxeyy", "bppc0m3ju134", "4zzv4rZaYpj", "MTU0MTgxNTYwMzYwNjAzNjQ4MA==",
		}},
		{1116766490855473152, [5]string{
			"111101111111100011010011010011100000100000000000000000000000",
			"69hpguoeyyyy", "8hg4ojd30u80", "3Amry1HHf7U", "MTExNjc2NjQ5MDg1NTQ3MzE1Mg==",
		}},
		{538815673191686144, [5]string{"11101111010010000100000000000000000000000001110000000000000",
			"q61nyyyybayy", "43de7r3dws8w", "2fxqA4JmPtE", "NTM4ODE1NjczMTkxNjg2MTQ0"}},
		{math.MaxInt64, [5]string{strings.Repeat("1", 63), "8999999999999", "1y2p0ij32e8e7",
			"npL6MjP8Qfc", "OTIyMzM3MjAzNjg1NDc3NTgwNw=="}},
	} {
		for i, name := range []string{"base 2", "base 32", "base 36", "base 58", "base 64"} {
			assert.Equal(t, golden.texts[i], forms[name].format(golden.id), name)
			id, err := forms[name].parse(golden.texts[i])
			require.NoError(t, err, name)
			assert.Equal(t, golden.id, id, name)
		}
	}
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
