package sweep

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// WriteText writes the report for people: a row for each combination, and below them why
// some have failed.
func WriteText(w io.Writer, r Report) error {
	interrupted := ""
	if r.Interrupted {
		interrupted = fmt.Sprintf(" (interrupted: %d of %d combinations)", len(r.Points), r.Combinations)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the median of %s of %s each%s\n%s\n\n", human.Count(int64(r.Rounds), "run"),
		bench.FormatSpan(r.Slice), interrupted, r.Machine)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "goroutines\tboost power\tpadding factor\tlayout\tpath\t"+
		"rate\tper id\tatomic add\tratio\tlowest\thighest\twaits\t")
	var failures strings.Builder
	for _, p := range r.Points {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%s\t%s\t\n", p.Goroutines, p.BoostPower, p.PaddingFactor,
			p.LayoutBits, p.Path, strings.Join(p.cells(), "\t"))
		if p.Error != "" {
			fmt.Fprintf(&failures, "\nfailed: %v: %s\n", p.Combination,
				strings.ReplaceAll(p.Error, "\n", "; "))
		}
	}
	t.Flush() // into a strings.Builder: cannot fail
	_, err := io.WriteString(w, b.String()+failures.String())
	return err
}

// cells are what was measured, in words: dashes where nothing was.
func (p Point) cells() []string {
	if p.Error != "" {
		return []string{"failed", "-", "-", "-", "-", "-", "-"}
	}
	return []string{
		bench.FormatRate(p.IDsPerSecond), nanoseconds(p.NSPerID), nanoseconds(p.AtomicAddNS),
		fmt.Sprintf("%.3f", p.Ratio), fmt.Sprintf("%.3f", p.LowestRatio),
		fmt.Sprintf("%.3f", p.HighestRatio),
		humanize.Comma(p.RejectedTakes),
	}
}

func nanoseconds(ns float64) string { return bench.FormatSpan(ns / 1e9) }
