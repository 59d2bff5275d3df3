package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteBench writes the report as Go benchmark results: a line for each round, so that
// benchstat can tell a difference between two runs from the variation between rounds, and
// one line for the latencies.
//
//	uidbench --format bench > old.txt
//	...
//	benchstat old.txt new.txt
func WriteBench(w io.Writer, r Report) error {
	var b strings.Builder
	b.WriteString(r.Machine.BenchHead())
	for _, o := range r.Rounds {
		b.WriteString(o.BenchLine("Uidbench/" + benchName(r)))
	}
	if n := r.LatencySamples; n > 0 {
		fmt.Fprintf(&b, "BenchmarkUidbenchLatency/%s\t%d", benchName(r), n)
		for name, ns := range r.Latency.All() {
			fmt.Fprintf(&b, "\t%d %s-ns", ns, name)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// BenchHead returns the lines with which Go benchmark results from this machine begin.
func (m Machine) BenchHead() string {
	head := fmt.Sprintf("goos: %s\ngoarch: %s\npkg: github.com/ringuid/ringuid/bench\n", m.OS, m.Arch)
	if m.CPU != "" {
		head += fmt.Sprintf("cpu: %s\n", m.CPU)
	}
	return head
}

// BenchLine returns the round as a Go benchmark result with this name, or "" when it has
// no ids.
func (r Round) BenchLine(name string) string {
	if r.IDs == 0 {
		return ""
	}
	return fmt.Sprintf("Benchmark%s\t%d\t%.4g ns/op\t%.0f ids/s\t"+
		"%.4g atomic-add-ns/op\t%.4g ratio\t%.4g atomic-call-ns/op\t%.4g call-ratio\n",
		name, r.IDs, r.NSPerID, quotient(float64(r.IDs), r.Seconds),
		r.AtomicAddNS, quotient(r.NSPerID, r.AtomicAddNS),
		r.AtomicCallNS, quotient(r.NSPerID, r.AtomicCallNS))
}

// oneWord makes of a name what may stand in a benchmark's, which blanks and slashes
// take apart.
func oneWord(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || unicode.IsSpace(r) })
	return strings.Join(words, "_")
}

// benchName has the settings as benchstat's name=value keys, and ends in the
// number of CPUs as Go's own benchmarks do.
func benchName(r Report) string {
	keys := []string{"generator=" + oneWord(r.Generator), "mode=" + r.Mode}
	if r.Batch > 0 {
		keys = append(keys, fmt.Sprintf("batch=%d", r.Batch))
	}
	if r.Rate > 0 {
		keys = append(keys, fmt.Sprintf("rate=%g", r.Rate))
	}
	return fmt.Sprintf("%s/goroutines=%d-%d",
		strings.Join(keys, "/"), r.Goroutines, r.Machine.GOMAXPROCS)
}
