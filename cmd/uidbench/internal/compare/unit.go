package compare

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/ringuid/ringuid/bench"
)

// Which values of a unit are better, where that is known.
const (
	Lower  = "lower"
	Higher = "higher"
)

// atomicAdd and atomicCall are the units of what ids are measured against. They are
// the machine's: a generator is neither better nor worse when they change.
const (
	atomicAdd  = "atomic-add-ns/op"
	atomicCall = "atomic-call-ns/op"
)

// better tells which values of a unit are better, and "" when that is not known. A
// file may say so itself, by a line such as "Unit hits better=higher".
func better(unit string, metadata ...benchfmt.UnitMetadataMap) string {
	_, tidy := benchunit.Tidy(1, unit)
	for _, m := range append(metadata, nil) { // of nil it returns what Go's own units have
		switch m.GetBetter(tidy) {
		case -1:
			return Lower
		case 1:
			return Higher
		}
	}
	switch {
	case unit == atomicAdd, unit == atomicCall:
		return ""
	case unit == "ratio", unit == "call-ratio", isTime(tidy):
		return Lower
	case strings.HasSuffix(tidy, "/s"):
		return Higher
	}
	return ""
}

// isTime reports whether a tidy unit is one of time, such as sec/op, p99-sec.
func isTime(tidy string) bool {
	numerator, _, _ := strings.Cut(tidy, "/")
	return numerator == "sec" || strings.HasSuffix(numerator, "-sec")
}

// formatValue writes a value as people read it: 6.7 ns, 149 M/s, 1.5KiB, 1.036.
func formatValue(v float64, unit string) string {
	v, tidy := benchunit.Tidy(v, unit)
	perSecond := strings.HasSuffix(tidy, "/s")
	switch {
	case isTime(tidy):
		return bench.FormatSpan(v)
	case benchunit.ClassOf(tidy) == benchunit.Binary && perSecond:
		return scale(v, benchunit.Binary) + "B/s"
	case benchunit.ClassOf(tidy) == benchunit.Binary:
		return scale(v, benchunit.Binary) + "B"
	case perSecond:
		return bench.FormatRate(v)
	}
	return scale(v, benchunit.Decimal)
}

// scale writes four digits, and a prefix only where there would be many zeros.
func scale(v float64, class benchunit.Class) string {
	if size := math.Abs(v); size >= 1e-3 && size < 1000 || v == 0 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return benchunit.Scale(v, class)
}
