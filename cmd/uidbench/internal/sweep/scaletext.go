package sweep

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// WriteScaleText writes the report as a table for each axis, for people.
func WriteScaleText(w io.Writer, r ScaleReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, the median of %s", r.Path(), human.Count(int64(r.Repeats), "run"))
	if r.Layout != "" {
		fmt.Fprintf(&b, ", layout %s", r.Layout)
	}
	if r.Interrupted {
		b.WriteString(" (interrupted)")
	}
	fmt.Fprintf(&b, "\n%v\n", r.Machine)
	for _, axis := range r.Axes {
		writeAxis(&b, axis)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Path says in words how ids were taken.
func (r ScaleReport) Path() string {
	switch {
	case r.Mode == "batch":
		return fmt.Sprintf("batches of %s", humanize.Comma(int64(r.Batch)))
	case r.Mode == "stream":
		return "a stream for each goroutine"
	case !r.Ordered:
		return "single relaxed takes"
	}
	return "single takes"
}

// writeAxis writes what grows first, and what does not above the table.
func writeAxis(b *strings.Builder, axis ScaleAxis) {
	if len(axis.Points) == 0 {
		fmt.Fprintf(b, "\n%s: not measured\n", axis.Title())
		return
	}
	fmt.Fprintf(b, "\n%s: %s\n", axis.Title(), strings.Join(fixed(axis), ", "))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tper id\tatomic add\tratio\tlowest\thighest\theap\tprocess\t\n", strings.ReplaceAll(axis.Name, "_", " "))
	for _, p := range axis.Points {
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%s\t%s\t\n", humanize.Comma(int64(p.X(axis.Name))),
			nanoseconds(p.NSPerID), nanoseconds(p.AtomicAddNS), p.Ratio, p.LowestRatio, p.HighestRatio,
			humanize.Bytes(uint64(p.HeapBytes)), humanize.Bytes(uint64(p.ProcessBytes)))
	}
	t.Flush() // into a strings.Builder: cannot fail
}

// Title says what increases.
func (a ScaleAxis) Title() string {
	switch a.Name {
	case AxisRing:
		return "As the ring grows"
	case AxisGoroutines:
		return "As there are more goroutines"
	}
	return "As more ids are taken"
}

// fixed is what stays the same along an axis.
func fixed(axis ScaleAxis) (all []string) {
	p := axis.Points[0]
	if axis.Name != AxisIDs {
		all = append(all, humanize.Comma(p.IDs)+" ids a run")
	}
	if axis.Name != AxisRing {
		all = append(all, "ring of "+humanize.Comma(p.RingSize))
	}
	if axis.Name != AxisGoroutines {
		all = append(all, human.Count(int64(p.Goroutines), "goroutine"))
	}
	return all
}
