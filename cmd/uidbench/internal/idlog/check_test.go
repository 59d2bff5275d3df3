package idlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

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
	return Input{Name: name, Size: int64(len(all)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(all)), nil }}
}

// config has ids in ticks of a second since 2026, of workers 0 to 15, and a clock
// that says tick 1000.
func config(t rapid.TB) Config {
	l, err := uid.ParseLayout("20/4/4")
	require.NoError(t, err)
	return Config{Layout: l, Memory: 16 << 20,
		Now: func() time.Time { return l.Epoch.Add(1000 * time.Second) }}
}

func idOf(tick, worker, seq int64) uid.ID { return uid.ID(tick<<8 | worker<<4 | seq) }

// What is found of each worker, in a slow and simple way.
type found struct {
	ids, duplicates, outOfOrder int64
	first, last                 int64
}

func TestCheckAgainstASlowModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := config(t)
		var (
			inputs               []Input
			want                 = map[int64]*found{}
			seen                 = map[uid.ID]bool{}
			ids, unordered, dups int64
		)
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			var lines []string
			previous, ofWorker := uid.ID(-1), map[int64]uid.ID{}
			for range rapid.IntRange(0, 30).Draw(t, "ids") {
				if rapid.IntRange(0, 5).Draw(t, "empty") == 0 {
					lines = append(lines, "")
				}
				tick, worker := rapid.Int64Range(0, 5).Draw(t, "tick"), rapid.Int64Range(0, 2).Draw(t, "worker")
				id := idOf(tick, worker, rapid.Int64Range(0, 3).Draw(t, "seq"))
				lines = append(lines, id.String())
				w := want[worker]
				if w == nil {
					w = &found{first: tick, last: tick}
					want[worker] = w
				}
				ids++
				w.ids++
				w.first, w.last = min(w.first, tick), max(w.last, tick)
				if before, ok := ofWorker[worker]; ok && id <= before {
					w.outOfOrder++
				}
				if id <= previous {
					unordered++
				}
				if seen[id] {
					w.duplicates++
					dups++
				}
				previous, ofWorker[worker], seen[id] = id, id, true
			}
			inputs = append(inputs, text(fmt.Sprint(i), lines...))
		}
		r, err := Check(context.Background(), c, inputs)
		if ids == 0 {
			require.ErrorIs(t, err, ErrEmpty)
			return
		}
		require.NoError(t, err)
		require.Equal(t, []int64{ids, dups, unordered, 0, 0},
			[]int64{r.IDs, r.Duplicates, r.OutOfOrder, r.Foreign, r.AheadOfNow})
		got := map[int64]*found{}
		for _, w := range r.Workers {
			got[w.Worker] = &found{
				w.IDs, w.Duplicates, w.OutOfOrder, tickOf(t, c, w.FirstTime), tickOf(t, c, w.LastTime),
			}
		}
		require.Equal(t, want, got)
		assert.Equal(t, dups > 0, errors.Is(r.Verdict(), ErrDuplicate))
		assertPlaces(t, r, inputs)
	})
}

func tickOf(t rapid.TB, c Config, s string) int64 {
	at, err := time.Parse(time.RFC3339, s)
	require.NoError(t, err)
	return int64(at.Sub(c.Layout.Epoch) / time.Second)
}

// assertPlaces looks the duplicates up where they are said to be.
func assertPlaces(t rapid.TB, r Report, inputs []Input) {
	for _, d := range r.FirstDuplicates {
		require.Len(t, d.Places, 2)
		assert.NotEqual(t, d.Places[0], d.Places[1])
		for _, p := range d.Places {
			i := slices.IndexFunc(inputs, func(in Input) bool { return in.Name == p.File })
			file, err := inputs[i].Open()
			require.NoError(t, err)
			all, err := io.ReadAll(file)
			require.NoError(t, err)
			assert.Equal(t, d.ID.String(), strings.Split(string(all), "\n")[p.Line-1])
		}
	}
}

func TestWhereADuplicateWasFirst(t *testing.T) {
	once := text("pipe", "1", "2", "1")
	once.Once = true
	for _, c := range []struct {
		inputs []Input
		want   string
	}{
		{[]Input{text("a", "1", "2"), text("b", "3", "2")}, "2 at a:2 and b:2"},
		{[]Input{once}, "1 at pipe:3, and before"},
		{[]Input{once, text("a", "2")}, "1 at pipe:3, and before; 2 at a:1, and before"},
		{[]Input{text("a", "5", "2"), once}, "2 at a:2 and pipe:2; 1 at pipe:3, and before"},
		{[]Input{text("a", "4", "4", "4")}, "4 at a:1 and a:2; 4 at a:1 and a:3"},
	} {
		r, err := Check(t.Context(), config(t), c.inputs)
		require.NoError(t, err)
		var got []string
		for _, d := range r.FirstDuplicates {
			got = append(got, d.String())
		}
		assert.Equal(t, c.want, strings.Join(got, "; "))
	}
}

// What does not fit is an error with figures, and what was found until then counts.
func TestIDsThatDoNotFit(t *testing.T) {
	c := config(t)
	c.Layout, c.Memory = uid.DefaultLayout, 300<<10
	lines := []string{"7", "7"}
	for i := range int64(100_000) {
		lines = append(lines, uid.ID(i<<20).String())
	}
	r, err := Check(t.Context(), c, []Input{text("a", lines...)})
	require.ErrorIs(t, err, ErrMemory)
	assert.ErrorContains(t, err, "too many ids: the 1,129 until a:1129 take more than the 300 KiB")
	assert.True(t, r.Interrupted)
	require.ErrorIs(t, r.Verdict(), ErrDuplicate)
	assert.Equal(t, "7 at a:1 and a:2", r.FirstDuplicates[0].String())
}

func TestStepsBack(t *testing.T) {
	r, err := Check(t.Context(), config(t),
		[]Input{text("a", idOf(9, 1, 0).String(), idOf(7, 1, 0).String(), idOf(8, 1, 0).String(),
			idOf(3, 1, 0).String())})
	require.NoError(t, err)
	require.Len(t, r.Workers, 1)
	assert.EqualValues(t, 2, r.Workers[0].OutOfOrder)
	assert.InDelta(t, 5, r.Workers[0].StepBack, 0)
}

func TestIDsOfTheFuture(t *testing.T) {
	r, err := Check(t.Context(), config(t),
		[]Input{text("a", idOf(999, 1, 0).String(), idOf(1000, 1, 15).String(),
			idOf(1001, 1, 0).String())})
	require.NoError(t, err)
	assert.EqualValues(t, 1, r.AheadOfNow)
	assert.NoError(t, r.Verdict())
}

func TestIDsOfAnotherLayout(t *testing.T) {
	foreign := uid.ID(1 << 28).String()
	r, err := Check(t.Context(), config(t), []Input{text("a", "5", foreign, foreign)})
	require.NoError(t, err)
	assert.EqualValues(t, 2, r.Foreign)
	assert.Contains(t, r.FirstForeign, "a:2: ")
	assert.EqualValues(t, 1, r.Duplicates, "they can be equal all the same")
	assert.NotErrorIs(t, r.Verdict(), uid.ErrForeign)

	c := config(t)
	c.Layout.Unit = 16 * time.Second
	const now, day = 1000 / 16, 24 * 3600 / 16
	for id, other := range map[string]bool{
		foreign:                              true,
		idOf(now+31*day, 0, 0).String():      true, // nobody borrows so much
		idOf(now+29*day, 0, 0).String():      false,
		idOf(now, 0, 0).String():             false,
		idOf(now, 0, 0).String() + "\n1":     false,
		foreign + "\n1":                      false,
		idOf(1<<20-1, 0, 0).String() + "\n1": false,
	} {
		r, err = Check(t.Context(), c, []Input{text("a", id)})
		require.NoError(t, err)
		assert.Equal(t, other, errors.Is(r.Verdict(), uid.ErrForeign), id)
	}
}

func TestBadLines(t *testing.T) {
	c := config(t)
	in := text("a", "1", "two", "4 5 6")
	_, err := Check(t.Context(), c, []Input{text("0", "9"), in})
	require.ErrorIs(t, err, ErrLine)
	assert.ErrorContains(t, err, `a:2: bad line: uid: not an id: "two"`)
	c.SkipBad = true
	r, err := Check(t.Context(), c, []Input{in})
	require.NoError(t, err)
	assert.EqualValues(t, []int64{3, 2, 1}, []int64{r.Lines, r.IDs, r.BadLines})
	assert.Contains(t, r.FirstBad, "a:2: ")

	c.Format = Format{IDColumn: "id"}
	_, err = Check(t.Context(), c, []Input{in})
	assert.ErrorIs(t, err, ErrFormat, "a name that is not there is no bad line")
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
	r, err := Check(ctx, config(t), []Input{in, text("b", "1")})
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, r.Interrupted)
	assert.EqualValues(t, []int64{3, 1}, []int64{r.IDs, r.Duplicates}, "half a line is none")
}

func TestMoreWorkersThanAreToldApart(t *testing.T) {
	c := config(t)
	c.Layout, c.Memory = uid.DefaultLayout, 64<<20
	var lines []string
	for worker := range int64(mostWorkers + 10) {
		lines = append(lines, uid.ID(worker<<13).String())
	}
	r, err := Check(t.Context(), c, []Input{text("a", lines...)})
	require.NoError(t, err)
	assert.Len(t, r.Workers, mostWorkers)
	assert.EqualValues(t, 10, r.OfOtherWorkers)
}
