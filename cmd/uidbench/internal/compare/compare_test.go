package compare_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/compare"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/limit"
)

// results has one benchmark, X, with values of one unit.
func results(t require.TestingT, unit string, values ...float64) compare.Results {
	var text strings.Builder
	for _, v := range values {
		fmt.Fprintf(&text, "BenchmarkX 1 %v %s\n", v, unit)
	}
	r, err := compare.Read(strings.NewReader(text.String()), "x")
	require.NoError(t, err)
	return r
}

// row compares the one thing that both have.
func row(t require.TestingT, before, after compare.Results) compare.Row {
	r, err := compare.Compare(before, after, compare.Options{})
	require.NoError(t, err)
	require.Len(t, r.Rows, 1)
	return r.Rows[0]
}

// The wanted figures are those which benchstat of the same version of
// golang.org/x/perf prints for these files.
func TestFiguresAreThoseOfBenchstat(t *testing.T) {
	r, err := compareFiles("testdata/old.txt", "testdata/new.txt")
	require.NoError(t, err)
	type figures struct {
		benchmark, unit string
		before, after   float64
		change, p       string
		n               [2]int
	}
	var got []figures
	for _, row := range r.Rows {
		got = append(got, figures{row.Benchmark, row.Unit, float64(row.Old.Median), float64(row.New.Median),
			fmt.Sprintf("%+.2f%%", row.Change), fmt.Sprintf("%.3f", row.P), [2]int{row.Old.N, row.New.N}})
	}
	assert.Equal(t, []figures{
		{"Take-8", "ns/op", 10.3, 11.3, "+9.71%", "0.000", [2]int{10, 10}},
		{"Take-8", "ids/s", 97.1e6, 88.5e6, "-8.86%", "0.000", [2]int{10, 10}},
		{"Take-8", "B/op", 0, 0, "+0.00%", "1.000", [2]int{10, 10}},
		{"Take-8", "allocs/op", 0, 0, "+0.00%", "1.000", [2]int{10, 10}},
		{"Batch/n=1024-8", "ns/op", 457.5, 457, "-0.11%", "1.000", [2]int{6, 8}},
		{"Batch/n=1024-8", "hits", 6, 10.5, "+75.00%", "0.001", [2]int{6, 8}},
		{"Tail-8", "p99-ns", 710, 910, "+28.17%", "0.100", [2]int{3, 3}},
	}, got)
	assert.Equal(t, 6, r.ForInterval)
	assert.Equal(t, 4, r.ForDifference)
}

// Mann and Whitney's test of samples without overlap has p = 2/(n1+n2 over n1), and
// the interval of six samples reaches from the lowest to the highest.
func TestFiguresAreThoseOfTheTextbook(t *testing.T) {
	r := row(t, results(t, "ns/op", 6, 1, 5, 2, 4, 3), results(t, "ns/op", 16, 11, 15, 12, 14, 13))
	assert.Equal(t, compare.Summary{Median: 3.5, Low: 1, High: 6, N: 6}, r.Old)
	assert.Equal(t, compare.Summary{Median: 13.5, Low: 11, High: 16, N: 6}, r.New)
	assert.InDelta(t, 2.0/924, r.P, 1e-12)
	assert.InDelta(t, 100*10/3.5, float64(r.Change), 1e-9)

	r = row(t, results(t, "ns/op", 1, 2, 3), results(t, "ns/op", 4, 5, 6))
	assert.InDelta(t, 0.1, r.P, 1e-12)
	assert.True(t, math.IsInf(float64(r.Old.Low), -1) && math.IsInf(float64(r.Old.High), 1), "three samples have no interval")
}

func TestVerdicts(t *testing.T) {
	low, high := []float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}
	for name, c := range map[string]struct {
		unit          string
		before, after []float64
		want          compare.Verdict
	}{
		"less time":                     {"ns/op", high, low, compare.Improved},
		"more time":                     {"ns/op", low, high, compare.Worse},
		"a higher percentile":           {"p99.99-ns", low, high, compare.Worse},
		"a higher maximum":              {"max-ns", low, high, compare.Worse},
		"a higher ratio":                {"ratio", low, high, compare.Worse},
		"more ids a second":             {"ids/s", low, high, compare.Improved},
		"fewer bytes a second":          {"MB/s", high, low, compare.Worse},
		"more allocations":              {"allocs/op", low, high, compare.Worse},
		"a slower machine":              {"atomic-add-ns/op", low, high, compare.Changed},
		"more of something":             {"hits", low, high, compare.Changed},
		"up from nothing":               {"allocs/op", []float64{0, 0, 0, 0}, low, compare.Worse},
		"overlap":                       {"ns/op", []float64{1, 2, 3, 7}, []float64{4, 5, 6, 8}, compare.Unclear},
		"three of each":                 {"ns/op", low[:3], high[:3], compare.TooFew},
		"one of each":                   {"ns/op", low[:1], low[:1], compare.TooFew},
		"two, and many":                 {"ns/op", low[:2], []float64{5, 6, 7, 8, 9, 10, 11, 12}, compare.Worse},
		"always the same":               {"ns/op", []float64{3, 3, 3, 3}, []float64{3, 3, 3, 3}, compare.Equal},
		"the same median among chances": {"ns/op", low, low, compare.Unclear},
	} {
		assert.Equal(t, c.want, row(t, results(t, c.unit, c.before...), results(t, c.unit, c.after...)).Verdict, name)
	}
}

func TestAFileMaySayWhichWayIsBetter(t *testing.T) {
	const line = "Unit hits better=higher\n"
	before, after := "BenchmarkX 1 5 hits\n", "BenchmarkX 1 9 hits\n"
	more := row(t, read(t, strings.Repeat(before, 5)), read(t, line+strings.Repeat(after, 5)))
	assert.Equal(t, compare.Improved, more.Verdict)
	less := row(t, read(t, line+strings.Repeat(after, 5)), read(t, strings.Repeat(before, 5)))
	assert.Equal(t, compare.Worse, less.Verdict)
	exact := row(t, read(t, "Unit hits assume=exact\n"+before), read(t, after))
	assert.Equal(t, compare.Changed, exact.Verdict, "one exact sample is enough")
}

func TestSidesTradePlacesTradingVerdicts(t *testing.T) {
	other := map[compare.Verdict]compare.Verdict{compare.Improved: compare.Worse, compare.Worse: compare.Improved}
	values := rapid.SliceOfNDistinct(rapid.Float64Range(0.1, 1e6), 2, 24, rapid.ID) // ties make p lopsided
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]string{"ns/op", "ids/s", "hits", "ratio"}).Draw(t, "unit")
		all := values.Draw(t, "values")
		cut := rapid.IntRange(1, len(all)-1).Draw(t, "cut")
		a, b := results(t, unit, all[:cut]...), results(t, unit, all[cut:]...)
		there, back := row(t, a, b), row(t, b, a)
		want := there.Verdict
		if traded, ok := other[want]; ok {
			want = traded
		}
		assert.Equal(t, want, back.Verdict)
		assert.InDelta(t, there.P, back.P, 1e-9)
		assert.Equal(t, there.Old, back.New)
		assert.Contains(t, []compare.Verdict{compare.Unclear, compare.Equal, compare.TooFew}, row(t, a, a).Verdict, "nothing differs from itself")
	})
}

func TestNothingInCommonSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct{ before, after, says string }{
		"other names": {"BenchmarkA 1 1 ns/op", "BenchmarkB 1 1 ns/op", "x has A\nx has B\nrun both with the same flags"},
		"other units": {"BenchmarkA 1 1 ns/op", "BenchmarkA 1 1 ids/s", "x has A ns/op\nx has A ids/s\n"},
		"other CPUs":  {"BenchmarkA/n=1-2 1 1 ns/op", "BenchmarkA/n=1-16 1 1 ns/op", "differ in GOMAXPROCS"},
		"many names":  {"BenchmarkA 1 1 a\nBenchmarkB 1 1 a\nBenchmarkC 1 1 a\nBenchmarkD 1 1 a\nBenchmarkE 1 1 a", "BenchmarkF 1 1 a", "A, B, C and 2 more"},
		"packages":    {"pkg: a\nBenchmarkA 1 1 a", "pkg: b\nBenchmarkA 1 1 a", "x has a A\nx has b A"},
	} {
		_, err := compare.Compare(read(t, c.before), read(t, c.after), compare.Options{})
		require.ErrorIs(t, err, compare.ErrDisjoint, name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestResultsWithoutSamplesHaveNothingInCommon(t *testing.T) {
	empty := compare.Results{Benchmarks: []compare.Benchmark{{Name: "X", Samples: []compare.Samples{{Unit: "ns/op"}}}}}
	for _, r := range []compare.Results{{}, empty} {
		_, err := compare.Compare(r, r, compare.Options{})
		require.ErrorIs(t, err, compare.ErrDisjoint)
	}
}

func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	x := results(t, "ns/op", 1)
	for _, o := range []compare.Options{{Alpha: 1}, {Alpha: -1}, {Alpha: math.NaN()}, {Confidence: 95}, {Confidence: 1}} {
		_, err := compare.Compare(x, x, o)
		require.ErrorIs(t, err, compare.ErrOptions, "%v", o)
	}
}

func TestStricterOptionsNeedMoreSamples(t *testing.T) {
	x := results(t, "ns/op", 1)
	r, err := compare.Compare(x, x, compare.Options{Alpha: 0.01, Confidence: 0.99})
	require.NoError(t, err)
	assert.Equal(t, [2]int{5, 8}, [2]int{r.ForDifference, r.ForInterval})
	r, err = compare.Compare(x, x, compare.Options{Alpha: 1e-40, Confidence: 1 - 1e-16})
	require.NoError(t, err)
	assert.Equal(t, [2]int{0, 0}, [2]int{r.ForDifference, r.ForInterval}, "fifty are not enough")
}

func TestMachinesAreTheSameOnlyWhereAllFilesSayTheSame(t *testing.T) {
	const here, there, sample = "goos: linux\ncpu: A\n", "goos: linux\ncpu: B\n", "BenchmarkX 1 1 ns/op\n"
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{here + sample, here + sample, true},
		{here + sample, there + sample, false},
		{here + sample, sample, false},
		{sample, sample, true},
		{here + sample + there + sample, here + sample + there + sample, false},
	} {
		r, err := compare.Compare(read(t, c.before), read(t, c.after), compare.Options{})
		require.NoError(t, err)
		assert.Equal(t, c.want, r.SameMachine, "%q against %q", c.before, c.after)
	}
}

func TestLimits(t *testing.T) {
	r, err := compareFiles("testdata/old.txt", "testdata/new.txt")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		limit compare.Limit
		want  error
		says  string
	}{
		"worse, and over it":   {compare.Limit{9.7, []string{"ns/op"}}, limit.ErrMissed, "ns/op of Take-8 is worse by 9.71%, more than 9.7%: 10.3 ns in "},
		"worse, but below it":  {compare.Limit{9.8, []string{"ns/op"}}, nil, ""},
		"nothing is allowed":   {compare.Limit{0, []string{"ids/s"}}, limit.ErrMissed, "more than 0%"},
		"equal":                {compare.Limit{0, []string{"B/op", "allocs/op"}}, nil, ""},
		"the second unit":      {compare.Limit{5, []string{"B/op", "ids/s"}}, limit.ErrMissed, "ids/s of Take-8 is worse by 8.86%"},
		"too few samples":      {compare.Limit{5, []string{"p99-ns"}}, compare.ErrTooFew, "p99-ns of Tail-8 has n=3, a difference needs 4 in each"},
		"no such unit":         {compare.Limit{5, []string{"ratio"}}, compare.ErrUnit, "there are ns/op, ids/s, B/op, allocs/op, hits, p99-ns"},
		"neither way better":   {compare.Limit{5, []string{"hits"}}, compare.ErrUnit, `a line "Unit hits better=lower"`},
		"nothing to be judged": {compare.Limit{Percent: 5}, nil, ""},
	} {
		err := c.limit.Check(r)
		if c.want == nil {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, c.want, name)
		assert.ErrorContains(t, err, c.says, name)
	}
}

func TestUpFromNothingIsOverEveryLimit(t *testing.T) {
	before, after := results(t, "allocs/op", 0, 0, 0, 0), results(t, "allocs/op", 1, 1, 1, 1)
	r, err := compare.Compare(before, after, compare.Options{})
	require.NoError(t, err)
	assert.ErrorContains(t, compare.Limit{1e9, []string{"allocs/op"}}.Check(r), "worse by ∞%")
	var text bytes.Buffer
	require.NoError(t, compare.WriteText(&text, r))
	assert.Contains(t, text.String(), "+∞% worse (p=0.029 n=4)")
}

func TestTextNamesPackagesWhereThereAreSeveral(t *testing.T) {
	x := read(t, "pkg: a\nBenchmarkX 1 1 ns/op\npkg: b\nBenchmarkX 1 2 MB/s 1500 B/op 12345 hits\n")
	r, err := compare.Compare(x, x, compare.Options{})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, compare.WriteText(&text, r))
	for _, want := range []string{"\na X\n", "\nb X\n", " 1.907MiB/s ± ∞ ", " 1.465KiB ± ∞ ", " 12.35k ± ∞ "} {
		assert.Contains(t, text.String(), want)
	}
}

func TestJSONHasTheSameKeysAndNullForWhatIsNoNumber(t *testing.T) {
	before, after := read(t, strings.Repeat("BenchmarkX 1 0 allocs/op\n", 4)+"BenchmarkY 1 1 a\n"), results(t, "allocs/op", 1, 1, 1, 1)
	r, err := compare.Compare(before, after, compare.Options{})
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, human.WriteJSON(&text, r))
	require.True(t, json.Valid(text.Bytes()))
	assert.JSONEq(t, `{
		"old": {"name": "x", "machines": [], "only": ["Y"]},
		"new": {"name": "x", "machines": [], "only": []},
		"same_machine": true,
		"alpha": 0.05, "confidence": 0.95, "samples_for_interval": 6, "samples_for_difference": 4,
		"rows": [{
			"pkg": "", "benchmark": "X", "unit": "allocs/op", "better": "lower",
			"old": {"median": 0, "low": null, "high": null, "samples": 4},
			"new": {"median": 1, "low": null, "high": null, "samples": 4},
			"change_percent": null, "p": 0.02857142857142857, "verdict": "worse"
		}]
	}`, text.String())
}
