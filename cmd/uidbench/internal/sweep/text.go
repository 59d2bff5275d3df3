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
	fmt.Fprintf(w, "the median of %s of %s each%s\n%s\n\n", human.Count(int64(r.Rounds), "run"),
		bench.FormatSpan(r.Slice), interrupted, r.Machine)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "goroutines\tboost power\tpadding factor\tlayout\tpath\t"+
		"rate\tper id\tatomic add\tratio\tlowest\thighest\twaits\t")
	failures := ""
	for _, p := range r.Points {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%s\t", p.Goroutines, p.BoostPower, p.PaddingFactor,
			p.LayoutBits, p.Path)
		if p.Error != "" {
			fmt.Fprintln(t, "failed\t-\t-\t-\t-\t-\t-\t")
			failures += fmt.Sprintf("\nfailed: %v: %s\n", p.Combination,
				strings.ReplaceAll(p.Error, "\n", "; "))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%.3f\t%.3f\t%s\t\n", bench.FormatRate(p.IDsPerSecond),
			bench.FormatSpan(p.NSPerID/1e9), bench.FormatSpan(p.AtomicAddNS/1e9), p.Ratio,
			p.LowestRatio, p.HighestRatio, humanize.Comma(p.RejectedTakes))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, failures)
	return err
}

func (c Combination) String() string {
	return fmt.Sprintf("goroutines %d, boost power %d, padding factor %d, layout %s, path %s",
		c.Goroutines, c.BoostPower, c.PaddingFactor, c.LayoutBits, c.Path)
}
