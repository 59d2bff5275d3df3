package compare_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/compare"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// read reads results that are all right.
func read(t *testing.T, text string) compare.Results {
	t.Helper()
	r, err := compare.Read(strings.NewReader(text), "x")
	require.NoError(t, err)
	return r
}

// aReport is of a run of three rounds, the last of which took no id.
func aReport() bench.Report {
	return bench.Report{
		Generator: "cached", Mode: "batch", Batch: 64, Goroutines: 2,
		Rounds: []bench.Round{
			{IDs: 1000, Seconds: 0.5, NSPerID: 5.04321, AtomicAddNS: 4, AtomicCallNS: 5},
			{IDs: 2000, Seconds: 0.25, NSPerID: 6, AtomicAddNS: 3, AtomicCallNS: 4},
			{},
		},
		Latency:        bench.Latency{P50: 40, P90: 50, P99: 60, P999: 70, P9999: 80, Max: 90},
		LatencySamples: 7,
		Machine:        bench.Machine{OS: "plan9", Arch: "mips", CPU: "A CPU", GOMAXPROCS: 4},
	}
}

// written is a report as uidbench prints it.
func written(t *testing.T, write func(io.Writer, bench.Report) error, r bench.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b, r))
	return b.String()
}

func TestLinesAreSamples(t *testing.T) {
	r := read(t, written(t, bench.WriteBench, aReport()))
	const settings = "/generator=cached/mode=batch/batch=64/goroutines=2-4"
	assert.Equal(t, []compare.Benchmark{
		{Pkg: "github.com/ringuid/ringuid/bench", Name: "Uidbench" + settings, Samples: []compare.Samples{
			{Unit: "ns/op", Values: []float64{5.043, 6}},
			{Unit: "ids/s", Values: []float64{2000, 8000}},
			{Unit: "atomic-add-ns/op", Values: []float64{4, 3}},
			{Unit: "ratio", Values: []float64{1.261, 2}},
			{Unit: "atomic-call-ns/op", Values: []float64{5, 4}},
			{Unit: "call-ratio", Values: []float64{1.009, 1.5}},
		}},
		{Pkg: "github.com/ringuid/ringuid/bench", Name: "UidbenchLatency" + settings, Samples: []compare.Samples{
			{Unit: "p50-ns", Values: []float64{40}},
			{Unit: "p90-ns", Values: []float64{50}},
			{Unit: "p99-ns", Values: []float64{60}},
			{Unit: "p99.9-ns", Values: []float64{70}},
			{Unit: "p99.99-ns", Values: []float64{80}},
			{Unit: "max-ns", Values: []float64{90}},
		}},
	}, r.Benchmarks)
	assert.Equal(t, []string{"plan9/mips, A CPU"}, r.Machines)
	assert.Empty(t, r.Skipped)
}

func TestAReportInJSONReadsAsItsLinesDo(t *testing.T) {
	lines, json := written(t, bench.WriteBench, aReport()), written(t, bench.WriteJSON, aReport())
	assert.Equal(t, read(t, lines), read(t, json))
	assert.Equal(t, read(t, lines+lines), read(t, json+json), "two runs")
	assert.Equal(t, read(t, lines), read(t, "\r\n\t "+json+"\n\n"), "white space is nothing")
}

func TestTextMayComeFromWindows(t *testing.T) {
	for name, text := range map[string]string{
		"lines": written(t, bench.WriteBench, aReport()),
		"JSON":  written(t, bench.WriteJSON, aReport()),
	} {
		want := read(t, text)
		assert.Equal(t, want, read(t, "\ufeff"+text), "%s with a byte order mark", name)
		assert.Equal(t, want, read(t, strings.ReplaceAll(text, "\n", "\r\n")), "%s with carriage returns", name)
		utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
		require.NoError(t, err)
		assert.Equal(t, want, read(t, utf16), "%s in UTF-16", name)
	}
}

func TestOutputOfGoTestIsRead(t *testing.T) {
	r := read(t, `=== RUN   TestX
--- PASS: TestX (0.00s)
goos: linux
pkg: example.com/a
BenchmarkX
BenchmarkX-2   	100	 3.5 ns/op	 0 B/op
pkg: example.com/b
BenchmarkX-2   	100	 4.5 ns/op
PASS
ok  	example.com/b	1.2s
`)
	assert.Equal(t, []compare.Benchmark{
		{Pkg: "example.com/a", Name: "X-2", Samples: []compare.Samples{{"ns/op", []float64{3.5}}, {"B/op", []float64{0}}}},
		{Pkg: "example.com/b", Name: "X-2", Samples: []compare.Samples{{"ns/op", []float64{4.5}}}},
	}, r.Benchmarks, "of two packages, with one name")
}

func TestLinesThatCannotBeReadAreLeftOutAndNamed(t *testing.T) {
	r := read(t, "BenchmarkX 100 3 ns/op\nBenchmarks are fun, they say\nBenchmarkX 100 4 ns/op 5\nBenchmarkX 1 NaN ns/op\nBenchmarkX 1 +Inf ns/op\nBenchmarkX 100 6 ns/op\n")
	assert.Equal(t, []compare.Samples{{"ns/op", []float64{3, 6}}}, r.Benchmarks[0].Samples)
	assert.Equal(t, []string{
		"x:2: parsing iteration count: invalid syntax",
		"x:3: missing units",
		"x:4: NaN is no measurement",
		"x:5: +Inf is no measurement",
	}, r.Skipped)
}

func TestOtherInputIsRefused(t *testing.T) {
	none := aReport()
	none.Rounds, none.LatencySamples = []bench.Round{}, 0
	for name, c := range map[string]struct {
		text string
		want error
		says string
	}{
		"an empty file":             {"", compare.ErrNoResults, "in x: make it with `uidbench --format bench`"},
		"white space":               {" \n\n", compare.ErrNoResults, "make it with"},
		"the report for people":     {"5,311,486 in 5 s, by 2 goroutines\n", compare.ErrNoResults, "make it with"},
		"one line, and a bad one":   {"BenchmarkX abc\n", compare.ErrNoResults, "x:1: parsing iteration count"},
		"no text":                   {strings.Repeat("\x7f", 1<<17), compare.ErrNoResults, "is it text?"},
		"other JSON":                {`{"Action":"start"}`, compare.ErrJSON, "object 1 has no rounds"},
		"JSON that is other later":  {written(t, bench.WriteJSON, aReport()) + "{}", compare.ErrJSON, "object 2 has no rounds"},
		"an array":                  {"[" + written(t, bench.WriteJSON, aReport()) + "]", compare.ErrJSON, "a JSON array instead of report 1"},
		"a report that is cut off":  {written(t, bench.WriteJSON, aReport())[:200], compare.ErrJSON, "report 1 is cut off"},
		"a key of another type":     {`{"rounds":[{"ids":"many"}]}`, compare.ErrJSON, "a JSON string as its rounds.ids"},
		"no JSON after a bracket":   {"{this is not JSON}", compare.ErrJSON, "invalid character"},
		"a report without an id":    {written(t, bench.WriteJSON, none), compare.ErrNoResults, "make it with"},
		"lines behind a report":     {written(t, bench.WriteJSON, aReport()) + "BenchmarkX 1 1 ns/op", compare.ErrJSON, "report 2"},
		"only measurements of Inf":  {"BenchmarkX 1 Inf ns/op", compare.ErrNoResults, "is no measurement"},
		"rounds that are no rounds": {`{"rounds":null}`, compare.ErrJSON, "has no rounds"},
	} {
		_, err := compare.Read(strings.NewReader(c.text), "x")
		require.ErrorIs(t, err, c.want, name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestAnErrorOfTheReaderIsReturned(t *testing.T) {
	broken := errors.New("broken")
	for _, text := range []string{"", "BenchmarkX 1 1 ns/op\n", `{"rounds":[]}`} {
		_, err := compare.Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "x")
		require.ErrorIs(t, err, broken, text)
		assert.NotErrorIs(t, err, compare.ErrNoResults, text)
	}
}

func FuzzReadingAndComparingNeverPanics(f *testing.F) {
	f.Add("BenchmarkX-2 1 2 ns/op 3 ids/s 4 ratio\nUnit ratio better=lower assume=exact\n", "BenchmarkX-2 1 -2e308 ns/op 0 ids/s 1e-320 ratio\n")
	f.Add(`{"rounds":[{"ids":1,"seconds":1e-320,"ns_per_id":1}],"generator":"a b"}`, "BenchmarkX 1 1 MB/s")
	f.Add("\xff\xfeB\x00", "BenchmarkX 1 1 /s 1 - 1 * 1 B")
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 4096 {
			t.Skip("long input only takes longer")
		}
		a, err := compare.Read(strings.NewReader(before), "before")
		if err != nil {
			return
		}
		compareAndWrite(t, a, a)
		if b, err := compare.Read(strings.NewReader(after), "after"); err == nil {
			compareAndWrite(t, a, b)
		}
	})
}

// compareAndWrite does all that there is to do with results.
func compareAndWrite(t *testing.T, a, b compare.Results) {
	r, err := compare.Compare(a, b, compare.Options{})
	if err != nil {
		require.ErrorIs(t, err, compare.ErrDisjoint)
		return
	}
	require.NoError(t, compare.WriteText(io.Discard, r))
	require.NoError(t, human.WriteJSON(io.Discard, r))
	for _, row := range r.Rows {
		_ = compare.Limit{Units: []string{row.Unit}}.Check(r) // it only must not panic
	}
}
