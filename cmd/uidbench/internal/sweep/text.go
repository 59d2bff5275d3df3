package sweep

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// WriteText writes the report for people: a row for each combination, with the
// axes that were varied.
func WriteText(w io.Writer, r Report) error {
	var b strings.Builder
	writeHead(&b, r)
	if len(r.Points) == 0 {
		b.WriteString("\nnothing was measured\n")
	} else {
		writeTable(&b, r)
		writeFailures(&b, r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Varied returns the axes with more than one value.
func (r Report) Varied() (axes []Axis) {
	for _, a := range r.Axes {
		if len(a.Values) > 1 {
			axes = append(axes, a)
		}
	}
	return axes
}

// Fixed lists the values that were not varied: goroutines 2, path take.
func (r Report) Fixed() string {
	var all []string
	for _, a := range r.Axes {
		if len(a.Values) == 1 {
			all = append(all, a.Title()+" "+a.Values[0])
		}
	}
	return strings.Join(all, ", ")
}

// combinations is how many there would have been without an interrupt.
func (r Report) combinations() int {
	n := 1
	for _, a := range r.Axes {
		n *= len(a.Values)
	}
	return n
}

func writeHead(b *strings.Builder, r Report) {
	fmt.Fprintf(b, "the median of %s of %s each", human.Count(int64(r.Rounds), "run"),
		bench.FormatSpan(r.Slice))
	if r.Interrupted {
		fmt.Fprintf(b, " (interrupted: %d of %d combinations)", len(r.Points), r.combinations())
	}
	b.WriteString("\n")
	if fixed := r.Fixed(); fixed != "" {
		fmt.Fprintln(b, fixed)
	}
	fmt.Fprintf(b, "%s\n\n", r.Machine)
}

func writeTable(b *strings.Builder, r Report) {
	varied := r.Varied()
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, a := range varied {
		fmt.Fprintf(t, "%s\t", a.Title())
	}
	fmt.Fprintln(t, "rate\tper id\tatomic add\tratio\tlowest\thighest\twaits\tahead\tlife\t")
	for _, p := range r.Points {
		for _, a := range varied {
			fmt.Fprintf(t, "%s\t", p.Value(a.Name))
		}
		fmt.Fprintln(t, strings.Join(p.cells(), "\t")+"\t")
	}
	t.Flush() // into a strings.Builder: cannot fail
}

// mostFailures are enough to see why; the other forms of the report have them all.
const mostFailures = 20

func writeFailures(b *strings.Builder, r Report) {
	var lines []string
	for _, p := range r.Points {
		if p.Error != "" {
			reason := strings.ReplaceAll(p.Error, "\n", "; ")
			lines = append(lines, fmt.Sprintf("%s: %s", cmp.Or(p.along(r.Varied()), "all"), reason))
		}
	}
	if len(lines) == 0 {
		return
	}
	if more := len(lines) - mostFailures; more > 0 {
		lines = append(lines[:mostFailures], fmt.Sprintf("and %s more", humanize.Comma(int64(more))))
	}
	fmt.Fprintf(b, "\nfailed:\n  %s\n", strings.Join(lines, "\n  "))
}

// cells are what was measured, in words: dashes where nothing was.
func (p Point) cells() []string {
	if p.Error != "" {
		return []string{"failed", "-", "-", "-", "-", "-", "-", "-", "-"}
	}
	return []string{
		bench.FormatRate(p.IDsPerSecond), nanoseconds(p.NSPerID), nanoseconds(p.AtomicAddNS),
		fmt.Sprintf("%.3f", p.Ratio), fmt.Sprintf("%.3f", p.LowestRatio),
		fmt.Sprintf("%.3f", p.HighestRatio),
		humanize.Comma(p.RejectedTakes), aheadText(p.AheadSeconds), percentText(p.LifeUsed),
	}
}

// aheadText has nothing to say of a generator that follows the clock.
func aheadText(seconds float64) string {
	if seconds <= 0 {
		return "-"
	}
	return bench.FormatSpan(seconds)
}

// percentText has no digits for what nobody will miss.
func percentText(part float64) string {
	if part > 0 && part < 1e-5 {
		return "<0.001 %"
	}
	return human.Number(100*part) + " %"
}

func nanoseconds(ns float64) string { return bench.FormatSpan(ns / 1e9) }

// WriteBench writes the report as Go benchmark results: a line for each run of
// each combination, named by its value on each axis. The slashes of a layout are
// bars, as benchstat reads name=value keys between slashes.
func WriteBench(w io.Writer, r Report) error {
	var b strings.Builder
	b.WriteString(bench.BenchHead())
	for _, p := range r.Points {
		name := "UidbenchSweep"
		for _, a := range r.Axes {
			name += fmt.Sprintf("/%s=%s", a.Name, strings.ReplaceAll(p.Value(a.Name), "/", "|"))
		}
		for _, o := range p.Runs {
			b.WriteString(o.BenchLine(name))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
