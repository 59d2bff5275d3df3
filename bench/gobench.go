package bench

import (
	"fmt"
	"io"
	"strings"
)

// WriteBench writes the report as Go benchmark results: a line for each round, so
// that benchstat can tell what two runs differ by from what their rounds do, and
// one for the latencies.
//
//	uidbench --format bench > old.txt
//	...
//	benchstat old.txt new.txt
func WriteBench(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: github.com/ringuid/ringuid/bench\n", r.Machine.OS, r.Machine.Arch)
	if r.Machine.CPU != "" {
		fmt.Fprintf(&b, "cpu: %s\n", r.Machine.CPU)
	}
	name := benchName(r)
	for _, o := range r.Rounds {
		if o.IDs == 0 {
			continue
		}
		fmt.Fprintf(&b, "BenchmarkUidbench/%s\t%d\t%.4g ns/op\t%.0f ids/s\t%.4g atomic-add-ns/op\t%.4g ratio\n",
			name, o.IDs, o.NSPerID, quotient(float64(o.IDs), o.Seconds), o.AtomicAddNS, quotient(o.NSPerID, o.AtomicAddNS))
	}
	if n := r.LatencySamples; n > 0 {
		l := r.Latency
		fmt.Fprintf(&b, "BenchmarkUidbenchLatency/%s\t%d\t%d p50-ns\t%d p90-ns\t%d p99-ns\t%d p99.9-ns\t%d p99.99-ns\t%d max-ns\n",
			name, n, l.P50, l.P90, l.P99, l.P999, l.P9999, l.Max)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// benchName has the settings as benchstat's name=value keys, and ends in the
// number of CPUs as Go's own benchmarks do.
func benchName(r Report) string {
	keys := []string{"generator=" + r.Generator, "mode=" + r.Mode}
	if r.Batch > 0 {
		keys = append(keys, fmt.Sprintf("batch=%d", r.Batch))
	}
	if r.Rate > 0 {
		keys = append(keys, fmt.Sprintf("rate=%g", r.Rate))
		if r.Arrivals == "poisson" {
			keys = append(keys, "arrivals=poisson")
		}
	}
	return fmt.Sprintf("%s/goroutines=%d-%d", strings.Join(keys, "/"), r.Goroutines, r.Machine.GOMAXPROCS)
}
