package soak

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// WriteText writes the report as a table for people.
func WriteText(w io.Writer, r Report) error {
	var b strings.Builder
	writeHead(&b, r)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"ids", idsText(r)},
		{"verified", verifiedText(r)},
		{"faults", faultsText(r)},
		{"worker ids", workersText(r)},
		{"errors", errorsText(r)},
		{"logs", r.Logs},
	} {
		if row[1] != "" {
			fmt.Fprintf(t, "  %s\t%s\n", row[0], row[1])
		}
	}
	t.Flush() // into a strings.Builder: cannot fail
	_, err := io.WriteString(w, b.String())
	return err
}

func writeHead(b *strings.Builder, r Report) {
	fmt.Fprintf(b, "soak of %s, layout %s, worker ids from %s\n",
		human.Count(int64(r.Processes), "process"), r.Layout, r.Store)
	if r.Namespace != "" {
		fmt.Fprintf(b, "namespace %s (%s), leases of %s, granted %s ahead\n", r.Namespace, r.Class,
			millis(r.TTLMs), millis(r.WindowMs))
	}
	b.WriteByte('\n')
}

func idsText(r Report) string {
	text := fmt.Sprintf("%s in %.0f s, %s a second", humanize.Comma(r.IDs), r.Seconds,
		humanize.Comma(int64(r.IDsPerSecond)))
	if r.Interrupted {
		text += " (interrupted)"
	}
	return text
}

func verifiedText(r Report) string {
	text := "every id is new"
	if r.Duplicates > 0 {
		text = fmt.Sprintf("%s DUPLICATES", humanize.Comma(r.Duplicates))
		for _, d := range r.FirstDuplicates {
			text += fmt.Sprintf("; %v", d)
		}
	}
	if r.OrderViolations > 0 {
		return text + fmt.Sprintf(", %s OUT OF ORDER", humanize.Comma(r.OrderViolations))
	}
	return text + ", and each process's own only grow"
}

func faultsText(r Report) string {
	var parts []string
	for _, f := range []struct {
		n    int64
		what string
	}{
		{r.Kills, "killed"}, {r.ClocksBack, "killed and its clock set back"},
		{r.Pauses, "paused while another took over"}, {r.Outages, "the store was gone"},
	} {
		if f.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", f.what, human.Times(f.n)))
		}
	}
	return strings.Join(parts, ", ")
}

func workersText(r Report) string {
	return fmt.Sprintf("acquired %s, %d of these taken over from a process that had not released",
		human.Times(r.Acquired), r.Takeovers)
}

func errorsText(r Report) string {
	if r.Errors == 0 {
		return ""
	}
	return fmt.Sprintf("%s survived: %s", humanize.Comma(r.Errors),
		strings.Join(r.FirstErrors, "\n  \t"))
}

func millis(n int64) string { return (time.Duration(n) * time.Millisecond).String() }
