package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchmath"
)

// WriteText writes the report as a table for each benchmark, for people.
func WriteText(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "old: %s\nnew: %s\n", r.Old.Name, r.New.Name)
	for rows := r.Rows; len(rows) > 0; {
		n := 1
		for n < len(rows) && rows[n].Pkg == rows[0].Pkg && rows[n].Benchmark == rows[0].Benchmark {
			n++
		}
		r.writeBenchmark(&b, rows[:n])
		rows = rows[n:]
	}
	r.writeNotes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) writeBenchmark(b *strings.Builder, rows []Row) {
	fmt.Fprintln(b)
	if slices.ContainsFunc(r.Rows, func(other Row) bool { return other.Pkg != rows[0].Pkg }) {
		fmt.Fprintf(b, "%s ", rows[0].Pkg)
	}
	fmt.Fprintln(b, rows[0].Benchmark)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "  \told\tnew\tchange\n")
	for _, row := range rows {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", row.Unit, row.Old.text(row.Unit), row.New.text(row.Unit), row.text())
	}
	t.Flush() // into a strings.Builder: cannot fail
}

// text is the median and how far its interval reaches.
func (s Summary) text(unit string) string {
	reach := benchmath.Summary{Center: float64(s.Median), Lo: float64(s.Low), Hi: float64(s.High)}.PctRangeString()
	return fmt.Sprintf("%s ± %s", formatValue(float64(s.Median), unit), reach)
}

// text is the change in words.
func (r Row) text() string {
	text := r.changeText()
	switch r.Verdict {
	case Improved, Worse:
		text += " " + string(r.Verdict)
	case TooFew:
		return fmt.Sprintf("~ too few samples (%s)", r.counts())
	case Equal:
		return fmt.Sprintf("%s (%s)", text, r.counts())
	}
	return fmt.Sprintf("%s (%s)", text, r.pText())
}

func (r Row) changeText() string {
	switch {
	case r.Verdict == Unclear || r.Verdict == TooFew:
		return "~"
	case r.Change.isInf():
		return fmt.Sprintf("%+.0f", r.Change)[:1] + "∞%"
	case r.Verdict == Equal:
		return string(Equal)
	}
	return fmt.Sprintf("%+.2f%%", r.Change)
}

// pText is p and the numbers of samples: p=0.002 n=10.
func (r Row) pText() string {
	return benchmath.Comparison{P: r.P, N1: r.Old.N, N2: r.New.N}.String()
}

// counts are the numbers of samples: n=10, n=10+20.
func (r Row) counts() string { return benchmath.Comparison{N1: r.Old.N, N2: r.New.N}.String() }

// writeNotes says what the tables leave out.
func (r Report) writeNotes(b *strings.Builder) {
	var notes []string
	for _, side := range []Side{r.Old, r.New} {
		for _, name := range side.Only {
			notes = append(notes, fmt.Sprintf("only in %s: %s", side.Name, name))
		}
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Old.unbounded() || row.New.unbounded() }) {
		notes = append(notes, fmt.Sprintf("± ∞: a confidence of %v needs %s samples", r.Confidence, atLeast(r.ForInterval)))
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Verdict == TooFew }) {
		notes = append(notes, fmt.Sprintf("too few samples: a difference needs %s in each at alpha %v; put several runs in each file", atLeast(r.ForDifference), r.Alpha))
	}
	for i, note := range notes {
		if i == 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintln(b, note)
	}
}

func (s Summary) unbounded() bool { return s.Low.isInf() || s.High.isInf() }

// atLeast writes how many samples are needed.
func atLeast(n int) string {
	if n == 0 {
		return "more than 50"
	}
	return fmt.Sprintf("%d", n)
}
