package idlog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhereTheFieldsAre(t *testing.T) {
	for _, c := range []struct {
		format   Format
		line, id string
	}{
		{Format{}, "12", "12"},
		{Format{}, "  12  ", "12"},
		{Format{}, "000000000000000000000012", "12"},
		{Format{Base32: true}, "000000000000C", "12"},
		{Format{}, "12,a", "12"},
		{Format{}, `"12"`, "12"},
		{Format{}, `"12`, "12"},
		{Format{IDColumn: "2"}, "a 12", "12"},
		{Format{IDColumn: "2"}, "a , 12 , b", "12"},
		{Format{IDColumn: "3"}, "a,,12", "12"},
		{Format{IDColumn: "2"}, "  a   12", "12"},
		{Format{IDColumn: "2"}, "a b c, 12", "12"},
		{Format{IDColumn: "3"}, "a b\t\t12", "12"},
		{Format{IDColumn: "2", Separator: " "}, "a,\t 12", "12"},
		{Format{IDColumn: "2", Separator: "\t"}, "\t12\tb", "12"},
		{Format{IDColumn: "2"}, `"a, ""b"" c",12`, "12"},
		{Format{IDColumn: "3", Separator: "\t"}, "a b\t\t12", "12"},
		{Format{IDColumn: "2", Separator: ";"}, `"a;b" ; 12 ;c`, "12"},
		{Format{IDColumn: "2", Separator: " - "}, "a b - 12", "12"},
		{Format{IDColumn: "2", Separator: "="}, "uid=12", "12"},
		{Format{JSONID: "id"}, `{"id":"12"}`, "12"},
		{Format{JSONID: "id"}, `INFO [x] {"a":{"id":5},"b":"\"id\":6","id": 12}`, "12"},
		{Format{JSONID: "a.id"}, `{"id":5,"a":{"id":12}}`, "12"},
	} {
		require.NoError(t, c.format.Validate())
		id, ok, err := newParser(c.format).parse([]byte(c.line))
		require.NoError(t, err, c.line)
		require.True(t, ok, c.line)
		assert.Equal(t, c.id, id.String(), c.line)
	}
}

func TestLinesWithoutTheFields(t *testing.T) {
	for _, c := range []struct {
		format Format
		line   string
	}{
		{Format{IDColumn: "2"}, "12"},
		{Format{IDColumn: "2"}, "12 "},
		{Format{IDColumn: "2", Separator: ";"}, "12,13"},
		{Format{}, "twelve"},
		{Format{}, "-12"},
		{Format{}, "9223372036854775808"},
		{Format{}, "0H36H2B7DNQAN"},
		{Format{Base32: true}, "12"},
		{Format{JSONID: "id"}, "12"},
		{Format{JSONID: "id"}, `{"uid":12}`},
		{Format{JSONID: "id"}, `{"id":null}`},
	} {
		_, _, err := newParser(c.format).parse([]byte(c.line))
		assert.ErrorIs(t, err, ErrLine, c.line)
	}
}

func TestColumnsWithNames(t *testing.T) {
	p := newParser(Format{IDColumn: "order id", Separator: ","})
	_, ok, err := p.parse([]byte(`at,x,"order id"`))
	require.NoError(t, err)
	require.False(t, ok)
	id, ok, err := p.parse([]byte("99,x,12"))
	require.NoError(t, err)
	require.True(t, ok)
	assert.EqualValues(t, 12, id)
	_, _, err = newParser(Format{IDColumn: "id"}).parse([]byte("a,b"))
	assert.ErrorIs(t, err, ErrFormat)
	for _, column := range []string{"0", "-1"} {
		assert.ErrorIs(t, Format{IDColumn: column}.Validate(), ErrFormat)
	}
}

// Whatever a line is, cutting it comes to an end.
func TestAnyLineIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newParser(Format{Separator: rapid.SampledFrom([]string{",", " ", "\t", "::"}).Draw(t,
			"separator")})
		line := []byte(rapid.StringOf(rapid.SampledFrom([]rune("ab ,\t\":"))).Draw(t, "line"))
		for rest := line; rest != nil; {
			field, left := p.cut(rest)
			require.True(t, left == nil || len(field)+len(left) < len(rest))
			rest = left
		}
	})
}

// Fields without blanks, separators and quotes come back as they were joined.
func TestCutAgainstJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{",", "\t", ";", "--"}).Draw(t, "separator")
		fields := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("xyz"))), 1, 6).Draw(t, "fields")
		p := newParser(Format{Separator: separator})
		var got []string
		for field, rest := []byte(nil), []byte(strings.Join(fields, separator)); rest != nil; {
			field, rest = p.cut(rest)
			got = append(got, string(field))
		}
		assert.Equal(t, fields, got)
	})
}
