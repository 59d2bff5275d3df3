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
)

func TestALastLineThatIsTooLong(t *testing.T) {
	c := config(t)
	c.SkipBad = true
	for _, n := range []int{longest, longest + 1, 3 * longest} {
		r, err := Check(t.Context(), c, []Input{text("a", "1", strings.Repeat("3", n))})
		require.NoError(t, err)
		assert.EqualValues(t, 1, r.BadLines)
	}
}

func TestPackedInputs(t *testing.T) {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, "1\n2\n")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	packed := b.String()
	r, err := Check(t.Context(), config(t), []Input{text("a", packed+packed), text("b", "\xef\xbb\xbf3\r\n\r\n")})
	require.NoError(t, err)
	assert.EqualValues(t, []int64{5, 2}, []int64{r.IDs, r.Duplicates})

	_, err = Check(t.Context(), config(t), []Input{text("a", packed[:len(packed)-3])})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.ErrorContains(t, err, "a, behind line 2: the compressed data is cut off")
	for _, p := range packings {
		_, err = Check(t.Context(), config(t), []Input{text("a", p.magic+"xyz")})
		require.ErrorIs(t, err, ErrFormat)
		assert.ErrorContains(t, err, p.unpacker)
	}
}

func TestAnInputThatCannotBeOpened(t *testing.T) {
	in := Input{Name: "a", Open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(t.TempDir(), "gone")) }}
	_, err := Check(t.Context(), config(t), []Input{in})
	assert.ErrorIs(t, err, os.ErrNotExist)
}
