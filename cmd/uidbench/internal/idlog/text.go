package idlog

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
)

// workerRows is how many workers the table has.
const workerRows = 10

// WriteText writes the report for people.
func WriteText(w io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s, layout %s since %s\n\n",
		human.Count(r.IDs, "id"), human.Count(int64(r.Files), "file"), r.Layout,
		r.Epoch.UTC().Format(time.RFC3339Nano))
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"checked", fmt.Sprintf("in %s, %s%s", bench.FormatSpan(r.Seconds),
			bench.FormatRate(r.IDsPerSecond), interruptedText(r))},
		{"duplicates", duplicatesText(r)},
		{"order", orderText(r)},
		{"times", timesText(r)},
		{"foreign", firstText(r.Foreign, "id", "cannot be of this layout", r.FirstForeign)},
		{"bad lines", firstText(r.BadLines, "line", "skipped", r.FirstBad)},
	} {
		if row[1] != "" {
			fmt.Fprintf(t, "  %s\t%s\n", row[0], row[1])
		}
	}
	t.Flush() // into a strings.Builder: cannot fail
	writeWorkers(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func interruptedText(r Report) string {
	if r.Interrupted {
		return " (interrupted)"
	}
	return ""
}

func duplicatesText(r Report) string {
	text := "none: every id is new"
	if r.Duplicates > 0 {
		text = human.Count(r.Duplicates, "DUPLICATE")
		for _, d := range r.FirstDuplicates {
			text += fmt.Sprintf("\n  \t%v", d)
		}
		if r.Duplicates > int64(len(r.FirstDuplicates)) {
			text += "\n  \tand more"
		}
	}
	return text
}

func orderText(r Report) string {
	if r.OutOfOrder == 0 {
		return "the ids of each file only grow"
	}
	text := fmt.Sprintf("%s not above the one before in the file", human.Count(r.OutOfOrder, "id"))
	switch {
	case r.OutOfOrderOfWorker > 0:
		text += fmt.Sprintf(", %s not above the one before of the same worker",
			humanize.Comma(r.OutOfOrderOfWorker))
	case len(r.Workers) > 0:
		text += "; those of each worker only grow"
	}
	return text
}

func timesText(r Report) string {
	if r.FirstTime == "" {
		return ""
	}
	text := fmt.Sprintf("from %s to %s", r.FirstTime, r.LastTime)
	if r.AheadOfNow > 0 {
		text += fmt.Sprintf("; %s of a time that is still to come", human.Count(r.AheadOfNow, "id"))
	}
	return text
}

func firstText(n int64, thing, what, first string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s, the first: %s", human.Count(n, thing), what, first)
}

// writeWorkers writes the table of the worst workers.
func writeWorkers(b *strings.Builder, r Report) {
	if len(r.Workers) == 0 {
		return
	}
	b.WriteByte('\n')
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "WORKER\tIDS\tFIRST\tLAST\tDUPLICATES\tOUT OF ORDER\tSTEP BACK\t")
	for _, w := range r.Workers[:min(len(r.Workers), workerRows)] {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n",
			w.Worker, humanize.Comma(w.IDs), w.FirstTime, w.LastTime,
			humanize.Comma(w.Duplicates), humanize.Comma(w.OutOfOrder), bench.FormatSpan(w.StepBack))
	}
	t.Flush() // into a strings.Builder: cannot fail
	if more := len(r.Workers) - workerRows; more > 0 {
		fmt.Fprintf(b, "and %s with less to show: --format json has them all\n",
			human.Count(int64(more), "worker"))
	}
	if r.OfOtherWorkers > 0 {
		fmt.Fprintf(b, "and %s of more workers than the %s that are told apart\n",
			human.Count(r.OfOtherWorkers, "id"), humanize.Comma(int64(r.WorkersBound)))
	}
}
