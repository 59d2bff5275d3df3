package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// row is a rival with its measurements.
type row struct {
	rival
	one, all timing
}

// timing is the time per id: the median of all runs in nanoseconds, and its ratio to that
// of the atomic add with as many goroutines. NaN where nothing was measured.
type timing struct{ ns, ratio float64 }

var errNoAdd = errors.New("there is no line of " + yardstick + ": run all benchmarks, " +
	"as in go test -run '^$' -bench . -cpu 1,2 -count 6")

// read turns benchmark lines into rows, the fastest first.
func read(r io.Reader) ([]row, error) {
	runs := make(map[string]map[int][]float64) // by name, then by GOMAXPROCS
	lines := benchfmt.NewReader(r, "stdin")
	most := 1
	for lines.Scan() {
		line, ok := lines.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		seconds, ok := line.Value("sec/id") // which is what benchfmt makes of ns/id
		if !ok {
			continue
		}
		name, procs := nameOf(line.Name)
		if runs[name] == nil {
			runs[name] = make(map[int][]float64)
		}
		runs[name][procs] = append(runs[name][procs], seconds*1e9)
		most = max(most, procs)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if runs[yardstick] == nil {
		return nil, errNoAdd
	}
	of := func(name string, procs int) (t timing) {
		t.ns = median(runs[name][procs])
		t.ratio = t.ns / median(runs[yardstick][procs])
		return t
	}
	var rows []row
	for _, r := range all() {
		if runs[r.name] != nil {
			rows = append(rows, row{r, of(r.name, 1), of(r.name, most)})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.one.ratio, b.one.ratio) })
	return rows, nil
}

// nameOf splits Rivals/NAME-PROCS; without a number, procs is 1.
func nameOf(n benchfmt.Name) (name string, procs int) {
	_, parts := n.Parts()
	procs = 1
	if last := len(parts) - 1; last > 0 && parts[last][0] == '-' {
		procs, _ = strconv.Atoi(string(parts[last][1:])) // digits alone
		parts = parts[:last]
	}
	return strings.TrimPrefix(string(bytes.Join(parts, nil)), "/"), procs
}

// median returns NaN if there are no values.
func median(of []float64) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// write prints the table as Markdown.
func write(w io.Writer, rows []row) error {
	var b strings.Builder
	b.WriteString("| generator | one goroutine, ns | x | all CPUs, ns | x | note |\n" +
		"|---|--:|--:|--:|--:|---|\n")
	for _, r := range rows {
		name := r.name
		if strings.HasPrefix(r.name, "ringuid,") {
			name = "**" + name + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", name, three(r.one.ns),
			three(r.one.ratio), three(r.all.ns), three(r.all.ratio), r.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// text returns what a reader must know about a rival.
func (r row) text() string {
	var parts []string
	if r.limit != "" {
		parts = append(parts, "rate-limited: "+r.limit)
	}
	for _, p := range []string{r.note, r.faults} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "; ")
}

// three writes three significant digits, and more before the point if need be.
func three(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case x >= 100:
		return strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	}
	return fmt.Sprintf("%.3g", x)
}
