package idlog

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/ringuid/ringuid/uid"
)

// ids are those of an input, with their lines.
func ids(in Input, column string) (all map[uid.ID]int64, err error) {
	all = map[uid.ID]int64{}
	err = in.eachID(context.Background(), column, func(id uid.ID, at Place) error {
		all[id] = at.Line
		return nil
	})
	return all, err
}

func TestWhereAnIDIs(t *testing.T) {
	for _, c := range []struct {
		column, text string
		line         int64
	}{
		{"", "12", 1},
		{"", "\n\n  000000000000000000000012 \r\n", 3},
		{"", `"12"`, 1},
		{"", "12,a", 1},
		{"1", "12 \"a", 1},
		{"2", "  a   12", 1},
		{"2", "a , 12 , b", 1},
		{"3", "a b\t\t12", 1},
		{"2", `"a; ""b"" c";12;d`, 1},
		{"2", "\"a,\nb\",12", 1},
		{"3", "a,,12", 1},
		{"order id", "at,x,\"order id\"\n99,x,12", 2},
		{"id", "at id\n\n99 12", 3},
	} {
		got, err := ids(text("a", c.text), c.column)
		require.NoError(t, err, c.text)
		assert.Equal(t, map[uid.ID]int64{12: c.line}, got, c.text)
	}
}

func TestLinesWithoutAnID(t *testing.T) {
	for _, c := range []struct{ column, text, want string }{
		{"", "1\ntwelve", "a:2: bad line: uid: not an id: "},
		{"", "-12", "a:1: "},
		{"", "9223372036854775808", "a:1: "},
		{"2", "1 12\n12", "a:2: bad line: there is no column 2, only 1"},
		{"2", "1,12\n12", "a:2: bad line: there is no column 2, only 1"},
		{"id", "a,b\n1,2", "a:1: bad line: no column is named \"id\" in [\"a\" \"b\"]"},
		{"", "1,a\n2,\"b", "a: bad line: parse error on line 2, column 5: "},
		{"", "1\n" + strings.Repeat("3", longest+1), "a: bad line 2: longer than 1048576 bytes"},
	} {
		_, err := ids(text("a", c.text), c.column)
		require.ErrorIs(t, err, ErrLine, c.text)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestInputsOfAWindowsShell(t *testing.T) {
	for _, code := range []encoding.Encoding{
		unicode.UTF8BOM,
		unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		shell, err := code.NewEncoder().String("1\r\n2\r\n")
		require.NoError(t, err)
		got, err := ids(text("a", shell), "")
		require.NoError(t, err)
		assert.Equal(t, map[uid.ID]int64{1: 1, 2: 2}, got, "%q", shell)
	}
}

func TestAnInputThatCannotBeOpened(t *testing.T) {
	in := Input{Name: "a",
		Open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(t.TempDir(), "gone")) }}
	_, err := Check(t.Context(), config, []Input{in})
	assert.ErrorIs(t, err, os.ErrNotExist)
}
