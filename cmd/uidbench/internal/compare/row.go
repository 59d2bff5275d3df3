package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// Row compares the samples of one unit of a benchmark.
type Row struct {
	Pkg       string  `json:"pkg"`
	Benchmark string  `json:"benchmark"`
	Unit      string  `json:"unit"`
	Better    string  `json:"better"` // Lower, Higher, or "" where that is not known
	Old       Summary `json:"old"`
	New       Summary `json:"new"`

	// Change is by how much the new median differs, in percent of the old one; -Inf
	// or +Inf when that is 0 and the new one is not.
	Change number `json:"change_percent"`

	P       float64 `json:"p"` // how often chance alone makes such a difference, 0 to 1
	Verdict Verdict `json:"verdict"`
}

// Summary summarises samples.
type Summary struct {
	Median number `json:"median"`
	Low    number `json:"low"` // of its interval; infinite with too few samples
	High   number `json:"high"`
	N      int    `json:"samples"`
}

// Verdict says whether and how two sets of samples differ.
type Verdict string

const (
	Improved Verdict = "better"
	Worse    Verdict = "worse"
	Changed  Verdict = "changed" // which way is better is not known
	Equal    Verdict = "equal"   // all samples are, or the medians beyond chance
	Unclear  Verdict = "unclear" // chance may have done it
	TooFew   Verdict = "too few" // with so few samples no difference could have counted
)

// compare fills in what the samples tell.
func (r *Row) compare(before, after []float64, assume benchmath.Assumption, o Options) {
	a, b := o.sample(before), o.sample(after)
	r.Old, r.New = summary(assume.Summary(a, o.Confidence), len(before)), summary(assume.Summary(b, o.Confidence), len(after))
	r.Change = percent(r.Old.Median, r.New.Median)
	r.P = assume.Compare(a, b).P
	r.Verdict = r.verdict(o, constant(before, after))
}

func summary(s benchmath.Summary, n int) Summary {
	return Summary{number(s.Center), number(s.Lo), number(s.Hi), n}
}

// percent is by how many percent b differs from a. It is positive when b is the
// greater one, also where both are negative.
func percent(a, b number) number {
	if a == b {
		return 0
	}
	return 100 * (b - a) / max(a, -a)
}

func (r *Row) verdict(o Options, constant bool) Verdict {
	significant := r.P <= o.Alpha
	switch {
	case !significant && !o.canDiffer(r.Old.N, r.New.N):
		return TooFew
	case constant, significant && r.Change == 0:
		return Equal
	case !significant:
		return Unclear
	case r.Better == "":
		return Changed
	case (r.Better == Higher) == (r.Change > 0):
		return Improved
	}
	return Worse
}

// constant reports whether all values are the same. The U test has no answer then.
func constant(before, after []float64) bool {
	differs := func(v float64) bool { return v != before[0] }
	return !slices.ContainsFunc(before, differs) && !slices.ContainsFunc(after, differs)
}

// sample copies the values, as NewSample sorts them.
func (o Options) sample(values []float64) *benchmath.Sample {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = o.Alpha
	return benchmath.NewSample(slices.Clone(values), &thresholds)
}

// canDiffer reports whether so many samples are enough for a difference to count:
// whether it does when all of the one are below all of the other.
func (o Options) canDiffer(before, after int) bool {
	return benchmath.AssumeNothing.Compare(o.sample(distinct(0, before)), o.sample(distinct(before, after))).P <= o.Alpha
}

// hasInterval reports whether n samples are enough for an interval.
func (o Options) hasInterval(n int) bool {
	s := benchmath.AssumeNothing.Summary(o.sample(distinct(0, n)), o.Confidence)
	return !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0)
}

// distinct returns n different values, from first on.
func distinct(first, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = float64(first + i)
	}
	return values
}

// fewest returns how many samples are enough, 0 when fifty are not.
func fewest(enough func(n int) bool) int {
	const most = 50 // up to which benchmath is exact
	for n := 1; n <= most; n++ {
		if enough(n) {
			return n
		}
	}
	return 0
}
