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
		format           Format
		line, id, millis string
	}{
		{Format{}, "12", "12", ""},
		{Format{}, "  12  ", "12", ""},
		{Format{}, "12,a", "12", ""},
		{Format{}, `"12"`, "12", ""},
		{Format{}, `"12`, "12", ""},
		{Format{IDColumn: "2"}, "a 12", "12", ""},
		{Format{IDColumn: "2"}, "a , 12 , b", "12", ""},
		{Format{IDColumn: "3"}, "a,,12", "12", ""},
		{Format{IDColumn: "2"}, "  a   12", "12", ""},
		{Format{IDColumn: "2"}, "a b c, 12", "12", ""},
		{Format{IDColumn: "3"}, "a b\t\t12", "12", ""},
		{Format{IDColumn: "2", Separator: " "}, "a,\t 12", "12", ""},
		{Format{IDColumn: "2", Separator: "\t"}, "\t12\tb", "12", ""},
		{Format{IDColumn: "2"}, `"a, ""b"" c",12`, "12", ""},
		{Format{IDColumn: "3", Separator: "\t"}, "a b\t\t12", "12", ""},
		{Format{IDColumn: "2", Separator: ";"}, `"a;b" ; 12 ;c`, "12", ""},
		{Format{IDColumn: "2", Separator: " - "}, "a b - 12", "12", ""},
		{Format{IDColumn: "2", Separator: "="}, "uid=12", "12", ""},
		{Format{IDColumn: "1", TimeColumn: "2"}, "12,99", "12", "99"},
		{Format{IDColumn: "2", TimeColumn: "1"}, "99,12,b", "12", "99"},
		{Format{IDColumn: "3", TimeColumn: "1"}, "2026-01-02 15:04:05 12", "12", "2026-01-02 15:04:05"},
		{Format{IDColumn: "1", TimeColumn: "2"}, "12,2026-01-02 15:04:05", "12", "2026-01-02 15:04:05"},
		{Format{IDColumn: "1", TimeColumn: "2", Separator: ","}, "12,2026-01-02 15:04:05,x", "12", "2026-01-02 15:04:05"},
		{Format{JSONID: "id"}, `{"id":"12"}`, "12", ""},
		{Format{JSONID: "id"}, `INFO [x] {"a":{"id":5},"b":"\"id\":6","id": 12}`, "12", ""},
		{Format{JSONID: "a.id"}, `{"id":5,"a":{"id":12}}`, "12", ""},
		{Format{JSONID: `a\.id`, JSONTime: "ts"}, `{"ts":99.5,"a.id":12}`, "12", "99.5"},
	} {
		require.NoError(t, c.format.Validate())
		id, at, err := newLineParser(c.format).fields([]byte(c.line))
		require.NoError(t, err, c.line)
		assert.Equal(t, []string{c.id, c.millis}, []string{string(id), string(at)}, c.line)
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
		{Format{IDColumn: "1", TimeColumn: "3"}, "12,13"},
		{Format{JSONID: "id"}, "12"},
		{Format{JSONID: "id"}, `{"uid":12}`},
		{Format{JSONID: "id"}, `{"id":null}`},
		{Format{JSONID: "id", JSONTime: "ts"}, `{"id":12}`},
	} {
		_, _, err := newLineParser(c.format).fields([]byte(c.line))
		assert.ErrorIs(t, err, ErrLine, c.line)
	}
}

func TestColumnsWithNames(t *testing.T) {
	p := newLineParser(Format{IDColumn: "order id", TimeColumn: "at", Separator: ","})
	require.True(t, p.header)
	require.NoError(t, p.readHeader([]byte(`at,x,"order id"`)))
	require.False(t, p.header)
	id, at, err := p.fields([]byte("99,x,12"))
	require.NoError(t, err)
	assert.Equal(t, "12 99", string(id)+" "+string(at))
	assert.ErrorIs(t, newLineParser(Format{IDColumn: "id"}).readHeader([]byte("a,b")), ErrFormat)
}

func TestInvalidFormatsAreRefused(t *testing.T) {
	for _, f := range []Format{
		{IDColumn: "0"}, {IDColumn: "-1"}, {IDColumn: "10001"}, {TimeColumn: "0"}, {IDColumn: "2", TimeColumn: "2"}, {TimeColumn: "1"},
		{JSONTime: "ts"}, {JSONID: "id", IDColumn: "1"}, {JSONID: "id", TimeColumn: "2"}, {JSONID: "id", Separator: ";"},
	} {
		assert.ErrorIs(t, f.Validate(), ErrFormat, "%+v", f)
	}
}

// Whatever a line is, its fields lie in it, one after the other, and it ends.
func TestSplitterAgainstAnyLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSplitter(rapid.SampledFrom([]string{",", " ", "\t", "::"}).Draw(t, "separator"), nil)
		line := []byte(rapid.StringOf(rapid.SampledFrom([]rune("ab ,\t\":"))).Draw(t, "line"))
		last := 0
		for next, more := 0, true; more; {
			var begin, end int
			was := next
			begin, end, next, more = s.cut(line, next)
			require.True(t, last <= begin && begin <= end && end <= next && next <= len(line), "%d %d %d", begin, end, next)
			require.True(t, !more || next > was)
			last = end
		}
	})
}

// Fields without blanks, separators and quotes come back as they were joined.
func TestSplitterAgainstJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]string{",", "\t", ";", "--"}).Draw(t, "separator")
		fields := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("xyz"))), 1, 6).Draw(t, "fields")
		line := []byte(strings.Join(fields, separator))
		var got []string
		for next, more := 0, true; more; {
			var begin, end int
			begin, end, next, more = newSplitter(separator, nil).cut(line, next)
			got = append(got, string(line[begin:end]))
		}
		assert.Equal(t, fields, got)
	})
}
