package uid

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notIDs are texts that no decoder of decimals takes: FuzzDecodeID shows that all decide
// as ParseID does.
var notIDs = []string{
	"", " ", "1 ", "+1", "-", "1_000", "1,000", "1.0", "1e3", "0x10", "١", "null", `"`, `""`, `"1`,
	"abc",
	"1\x00", "\xff",
}

// outOfRange are numbers that are not ids.
var outOfRange = []string{
	"-1", "-9223372036854775808", "-99999999999999999999",
	"9223372036854775808", "18446744073709551615", "99999999999999999999",
}

func TestTextThatIsNotAnIDIsRefused(t *testing.T) {
	for _, s := range notIDs {
		id, err := ParseID(s)
		assert.ErrorIs(t, err, ErrSyntax, "%q", s)
		assert.NotErrorIs(t, err, ErrRange, "%q", s)
		assert.Zero(t, id, "%q", s)
	}
	for _, s := range outOfRange {
		id, err := ParseID(s)
		assert.ErrorIs(t, err, ErrSyntax, "%q", s)
		assert.ErrorIs(t, err, ErrRange, "%q", s)
		assert.Zero(t, id, "%q", s)
	}
	id, err := ParseID("9223372036854775807")
	require.NoError(t, err)
	assert.Equal(t, ID(math.MaxInt64), id)
}

func TestADecoderThatFailsKeepsTheOldID(t *testing.T) {
	id := ID(7)
	require.Error(t, id.UnmarshalText([]byte("x")))
	require.Error(t, id.UnmarshalJSON([]byte("null")))
	require.Error(t, id.Scan(nil))
	require.Error(t, id.Scan(int64(-1)))
	assert.Equal(t, ID(7), id)
}

func TestALongTextIsCutShortInTheError(t *testing.T) {
	long := make([]byte, 1<<20)
	for i := range long {
		long[i] = '9'
	}
	_, err := ParseID(string(long))
	require.ErrorIs(t, err, ErrRange)
	assert.Less(t, len(err.Error()), 200)
}

func TestNullIsNotTheIDZero(t *testing.T) {
	var row struct {
		Key  ID
		Next *ID
	}
	err := json.Unmarshal([]byte(`{"Key": null}`), &row)
	require.ErrorIs(t, err, ErrSyntax)
	require.NoError(t, json.Unmarshal([]byte(`{"Key": 1, "Next": null}`), &row))
	assert.Nil(t, row.Next)

	var id ID
	err = id.Scan(nil)
	require.ErrorIs(t, err, ErrSyntax)
	assert.ErrorContains(t, err, "scan into a *uid.ID")
}

func TestScanRefusesOtherTypesAndNumbersOutOfRange(t *testing.T) {
	var id ID
	for _, src := range []any{1.0, true, int32(1), struct{}{}, new(int64)} {
		err := id.Scan(src)
		require.ErrorIs(t, err, ErrSyntax)
		assert.ErrorContains(t, err, "cannot be scanned")
	}
	for _, src := range []any{int64(-1), int64(math.MinInt64), uint64(math.MaxInt64 + 1),
		uint64(math.MaxUint64)} {
		require.ErrorIs(t, id.Scan(src), ErrRange)
	}
	assert.Zero(t, id)
}

// A JSON column has an id in quotes, PostgreSQL's CHAR(n) pads it with blanks.
func TestScanReadsWhatColumnsOfTextMakeOfAnID(t *testing.T) {
	for _, s := range []string{`"119"`, "119", "119  ", `"119"  `, "00119"} {
		var id ID
		require.NoError(t, id.Scan(s), "%q", s)
		require.NoError(t, id.Scan([]byte(s)), "%q", s)
		assert.Equal(t, ID(119), id, "%q", s)
	}
	id := ID(7)
	for _, s := range []string{`"null"`, "null", `""119""`, `"119`, `119"`, `" 119"`, `"119 "`, " 119",
		"119\n", "119\t", `"\u0031"`, `"-5"`, "-5 ", "  ", `""`} {
		require.ErrorIs(t, id.Scan(s), ErrSyntax, "%q", s)
		require.ErrorIs(t, id.Scan([]byte(s)), ErrSyntax, "%q", s)
	}
	assert.Equal(t, ID(7), id)
	require.ErrorIs(t, id.UnmarshalText([]byte(`"119"`)), ErrSyntax)
}

// internal/docs/codecs has the same with MongoDB's own codec.
func TestBSONThatIsNoIDIsRefused(t *testing.T) {
	kind, data, err := ID(119).MarshalBSONValue()
	require.NoError(t, err)
	var id ID
	require.NoError(t, id.UnmarshalBSONValue(kind, data))
	assert.Equal(t, ID(119), id)
	_, _, err = ID(-1).MarshalBSONValue()
	require.ErrorIs(t, err, ErrRange)
	for kind, data := range map[byte]string{
		0x01: "\x00\x00\x00\x00\x00\x00\xf0\x3f", // the double 1
		0x02: "\x03\x00\x00\x00-5\x00",
		0x08: "\x01", // true
		0x0a: "",     // null
		0x10: "\xfb\xff\xff\xff",
		0x12: "\x05", // cut short
	} {
		require.Error(t, id.UnmarshalBSONValue(kind, []byte(data)), "%#x", kind)
	}
	for _, cut := range []string{"", "\x01\x00", "\x01\x00\x00\x00"} {
		require.ErrorIs(t, id.UnmarshalBSONValue(0x02, []byte(cut)), ErrSyntax)
	}
	for _, n := range []int{3, 5, 7, 9} {
		require.Error(t, id.UnmarshalBSONValue(0x10, make([]byte, n)), n)
		require.Error(t, id.UnmarshalBSONValue(0x12, make([]byte, n)), n)
	}
	assert.Equal(t, ID(119), id, "a decoder that fails keeps the old id")
}

// The pages say until when a text has how many digits.
func TestTextsOfIDsGetLonger(t *testing.T) {
	layout := DefaultLayout()
	layout.Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for digits, c := range map[int]struct {
		layout Layout
		from   string
	}{18: {SnowflakeLayout(), "2026-10-03"}, 19: {layout, "2026-12-03"}} {
		day, err := time.Parse(time.DateOnly, c.from)
		require.NoError(t, err)
		before, err := c.layout.MinID(day)
		require.NoError(t, err)
		after, err := c.layout.MaxID(day.AddDate(0, 0, 1))
		require.NoError(t, err)
		assert.Len(t, before.String(), digits-1)
		assert.Len(t, after.String(), digits)
		assert.Greater(t, before.String(), after.String(), "so texts do not sort")
	}
	last, err := SnowflakeLayout().MinID(time.Date(2033, 7, 22, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	assert.Len(t, last.String(), 18)
	next, err := SnowflakeLayout().MaxID(time.Date(2033, 7, 23, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	assert.Len(t, next.String(), 19)
}

func TestANegativeValueIsNotEncoded(t *testing.T) {
	id := ID(-1)
	_, err := id.MarshalText()
	require.ErrorIs(t, err, ErrRange)
	_, err = json.Marshal(id)
	require.ErrorIs(t, err, ErrRange)
	value, err := id.Value()
	require.ErrorIs(t, err, ErrRange)
	assert.EqualValues(t, -1, value, "who drops the error must not see NULL")
	assert.Equal(t, "-1", id.String(), "String shows what is there")
}
