package bench

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/ringuid/ringuid/internal/machine"
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
	b.WriteString(benchHead())
	for _, o := range r.rounds {
		if o.ids == 0 {
			continue
		}
		each := float64(o.took) / float64(o.ids)
		fmt.Fprintf(&b, "BenchmarkUidbench/%s-%d\t%d\t%.4g ns/op\t%.0f ids/s",
			benchName(r), runtime.GOMAXPROCS(0), o.ids, each, quotient(1e9, each))
		if r.Rate == 0 { // the pace of an open loop is given
			fmt.Fprintf(&b, "\t%.4g atomic-add-ns/op\t%.4g ratio\t%.4g atomic-call-ns/op\t%.4g call-ratio",
				o.add, quotient(each, o.add), o.call, quotient(each, o.call))
		}
		b.WriteString("\n")
	}
	if n := r.LatencySamples; n > 0 {
		fmt.Fprintf(&b, "BenchmarkUidbenchLatency/%s-%d\t%d", benchName(r), runtime.GOMAXPROCS(0), n)
		for name, ns := range known(r.Latency) {
			fmt.Fprintf(&b, "\t%d %s-ns", ns, name)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func benchHead() string {
	head := fmt.Sprintf("goos: %s\ngoarch: %s\npkg: github.com/ringuid/ringuid/bench\n",
		runtime.GOOS, runtime.GOARCH)
	if cpu := machine.CPU(); cpu != "" {
		head += fmt.Sprintf("cpu: %s\n", cpu)
	}
	return head
}

// benchName returns the settings as benchstat's name=value keys.
func benchName(r Report) string {
	keys := []string{"generator=" + r.Generator}
	if r.WorkerID >= 0 { // else it is another program's, which does not say it
		text, _, _ := strings.Cut(r.Layout.String(), " ")
		keys = append(keys, "layout="+strings.ReplaceAll(text, "/", "|"), "class="+r.Class)
	}
	keys = append(keys, "mode="+r.Mode)
	if r.Batch > 0 {
		keys = append(keys, fmt.Sprintf("batch=%d", r.Batch))
	}
	if r.Rate > 0 {
		keys = append(keys, fmt.Sprintf("rate=%g", r.Rate))
	}
	return fmt.Sprintf("%s/goroutines=%d", strings.Join(keys, "/"), r.Goroutines)
}
