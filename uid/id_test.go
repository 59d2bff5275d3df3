package uid

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALongTextIsCutShortInTheError(t *testing.T) {
	_, err := ParseID(strings.Repeat("9", 1<<20))
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
	require.NoError(t, id.Scan(uint64(math.MaxInt64)))
}

// A JSON column has an id in quotes, PostgreSQL's CHAR(n) pads it with blanks.
func TestScanReadsWhatColumnsOfTextMakeOfAnID(t *testing.T) {
	for _, src := range []any{`"119"`, "119", "119  ", `"119"  `, "00119", int64(119), uint64(119)} {
		var id ID
		require.NoError(t, id.Scan(src), "%q", src)
		assert.Equal(t, ID(119), id, "%q", src)
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

// internal/docs/codecs has what MongoDB's codec writes. This was cut short.
func TestBSONThatIsNoIDIsRefused(t *testing.T) {
	id := ID(119)
	for _, cut := range []string{"", "\x01\x00", "\x01\x00\x00\x00"} {
		require.ErrorIs(t, id.UnmarshalBSONValue(0x02, []byte(cut)), ErrSyntax)
	}
	for _, n := range []int{3, 5, 7, 9} {
		require.Error(t, id.UnmarshalBSONValue(0x10, make([]byte, n)), n)
		require.Error(t, id.UnmarshalBSONValue(0x12, make([]byte, n)), n)
	}
	assert.Equal(t, ID(119), id, "a decoder that fails keeps the old id")
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
