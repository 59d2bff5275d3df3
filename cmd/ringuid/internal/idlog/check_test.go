package idlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/uid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// text is an input of these lines.
func text(name string, lines ...string) Input {
	all := strings.Join(lines, "\n")
	return Input{Name: name,
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(all)), nil }}
}

var layout = uid.DefaultLayout()

func TestCheckAgainstASlowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			inputs               []Input
			seen                 = map[int64]bool{}
			ids, unordered, dups int64
			negative             int64
			empty                bool
		)
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			var lines []string
			previous, before := int64(math.MinInt64), ids
			for range rapid.IntRange(0, 30).Draw(t, "ids") {
				if rapid.IntRange(0, 5).Draw(t, "empty") == 0 {
					lines = append(lines, "")
				}
				id := rapid.Int64Range(-20, 30).Draw(t, "id")
				lines = append(lines, fmt.Sprint(id))
				ids++
				if id < 0 {
					negative++
				}
				if id <= previous {
					unordered++
				}
				if seen[id] {
					dups++
				}
				previous, seen[id] = id, true
			}
			inputs = append(inputs, text(fmt.Sprint(i), lines...))
			empty = empty || ids == before
		}
		r, err := Check(context.Background(), layout, inputs)
		if empty {
			require.ErrorIs(t, err, ErrEmpty, "and yet all others were read")
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, []int64{ids, dups, unordered, negative},
			[]int64{r.IDs, r.Duplicates, r.OutOfOrder, r.Negative})
		assert.Equal(t, dups > 0, errors.Is(r.Verdict(), ErrDuplicate))
	})
}

// ids are those of an input, with their lines.
func ids(in Input) (all map[uid.ID]int64, err error) {
	all = map[uid.ID]int64{}
	err = in.eachLine(context.Background(), func(id uid.ID, at Place, bad error) error {
		if bad == nil {
			all[id] = at.Line
		}
		return bad
	})
	return all, err
}

func TestWhereAnIDIs(t *testing.T) {
	for line, of := range map[string]int64{
		"12": 1, "\xef\xbb\xbf12": 1, "\n\n  000000000000000000000012 \r\n": 3, `"12"`: 1, "12 a\n": 1,
	} {
		got, err := ids(text("a", line))
		require.NoError(t, err, line)
		assert.Equal(t, map[uid.ID]int64{12: of}, got, line)
	}
}

func TestLinesWithoutAnID(t *testing.T) {
	for line, want := range map[string]string{
		"1\ntwelve":                            "a:2: bad line: uid: not an id: ",
		"\xff\xfe1\x00\n\x00":                  "a:1: bad line: this is UTF-16: convert it with iconv",
		"12,a":                                 "a:1: bad line: uid: not an id: ",
		"9223372036854775808":                  "a:1: ",
		"1\n" + strings.Repeat("3", longest+1): "a:2: bad line: longer than 1048576 bytes",
	} {
		_, err := ids(text("a", line))
		require.ErrorIs(t, err, ErrLine, line)
		assert.ErrorContains(t, err, want)
	}
}

// What does not fit is an error with figures, and what was found until then counts.
func TestIDsThatDoNotFit(t *testing.T) {
	lines := []string{"7", "7"}
	for i := range int64(100_000) {
		lines = append(lines, uid.ID(i<<20).String())
	}
	r, err := check(t.Context(), layout, 300<<10, []Input{text("a", lines...)})
	require.ErrorIs(t, err, ErrMemory)
	assert.ErrorContains(t, err, "too many ids: the 1,129 until a:1129 take more than 300 KiB, ")
	assert.True(t, r.Interrupted)
	require.ErrorIs(t, r.Verdict(), ErrDuplicate)
	assert.Equal(t, "7 at a:2, and before", r.FirstDuplicates[0].String())
}

// waiting gives its text, says that it waits for more, and waits.
type waiting struct {
	io.Reader
	waits func()
	end   <-chan struct{}
}

func (w *waiting) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.EOF {
		w.waits()
		<-w.end
	}
	return n, err
}

func (w *waiting) Close() error { return nil }

func TestAnInterruptedCheckReportsWhatItRead(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	end := make(chan struct{})
	defer close(end)
	in := Input{Name: "a", Open: func() (io.ReadCloser, error) {
		return &waiting{strings.NewReader("1\n7\n1\n5"), cancel, end}, nil
	}}
	r, err := Check(ctx, layout, []Input{in, text("b", "1")})
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, r.Interrupted)
	assert.EqualValues(t, []int64{3, 1}, []int64{r.IDs, r.Duplicates}, "half a line is none")
}
