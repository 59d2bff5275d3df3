package idlog

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

func TestALineThatIsTooLong(t *testing.T) {
	in := text("a", "1", strings.Repeat("3", longest+1), "1")
	_, err := Check(t.Context(), config(t), []Input{in})
	require.ErrorIs(t, err, ErrLine)
	assert.ErrorContains(t, err, "a:2: ")
}

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

func TestPackedInputs(t *testing.T) {
	packed := zipped(t, "1\n2\n")
	r, err := Check(t.Context(), config(t),
		[]Input{text("a", packed+packed), text("b", "\xef\xbb\xbf3\r\n\r\n")})
	require.NoError(t, err)
	assert.EqualValues(t, []int64{5, 2}, []int64{r.IDs, r.Duplicates})

	_, err = Check(t.Context(), config(t), []Input{text("a", packed[:len(packed)-3])})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.ErrorContains(t, err, "a, after line 2: ")
}

func TestInputsOfAWindowsShell(t *testing.T) {
	for _, code := range []encoding.Encoding{
		unicode.UTF8BOM,
		unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	} {
		shell, err := code.NewEncoder().String("1\r\n2\r\n2\r\n")
		require.NoError(t, err)
		for _, file := range []string{shell, zipped(t, shell)} {
			r, err := Check(t.Context(), config(t), []Input{text("a", file)})
			require.NoError(t, err)
			assert.EqualValues(t, []int64{3, 1}, []int64{r.IDs, r.Duplicates}, "%q", shell)
		}
	}
}

func TestAnInputThatCannotBeOpened(t *testing.T) {
	in := Input{Name: "a",
		Open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(t.TempDir(), "gone")) }}
	_, err := Check(t.Context(), config(t), []Input{in})
	assert.ErrorIs(t, err, os.ErrNotExist)
}
