package bench

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/uid"
)

// WriteText writes the report as a table for people.
func WriteText(w io.Writer, report Report) error {
	r := report.result
	var b strings.Builder
	writeHead(&b, r)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range [][2]string{
		{"ids", idsText(r)},
		{"rate", rateText(r)},
		{"per id", perIDText(r)},
		{"ring", ringText(r)},
		{"age", ageText(r)},
		{"borrowed", borrowedText(r)},
		{"errors", errorsText(r)},
		{"verified", verifiedText(r)},
	} {
		if row[1] != "" {
			fmt.Fprintf(t, "  %s\t%s\n", row[0], row[1])
		}
	}
	t.Flush() // into a strings.Builder: cannot fail
	writeLatency(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeHead(b *strings.Builder, r result) {
	end := r.layout().End()
	fmt.Fprintf(b, "%s generator, layout %s since %s, until %s\n", r.Generator,
		r.Layout, r.Epoch.Format(time.DateOnly), end.Format(time.DateOnly))
	from := ""
	if r.Store != "" {
		from = " from " + r.Store
	}
	fmt.Fprintf(b, "worker id %d (%v)%s\n%s\n\n", r.WorkerID, r.Class, from, r.Machine)
}

func idsText(r result) string {
	how := "one at a time"
	switch r.Mode {
	case "batch":
		how = fmt.Sprintf("%s at a time", humanize.Comma(int64(r.Batch)))
	case "stream":
		how = "from a stream each"
	}
	who := plural(int64(r.Goroutines), "goroutine")
	text := fmt.Sprintf("%s in %s, by %s, %s", humanize.Comma(r.IDs), FormatSpan(r.Seconds), who, how)
	if r.Interrupted {
		text += " (interrupted)"
	}
	return text
}

func rateText(r result) string {
	text := FormatRate(r.IDsPerSecond)
	if r.Rate > 0 {
		text += fmt.Sprintf(", asked for %s", FormatRate(r.Rate))
		if r.IDsPerSecond < 0.99*r.Rate {
			text += ": it fell behind"
		}
	}
	return text
}

// perIDText has nothing to say of an open loop, whose pace is given.
func perIDText(r result) string {
	if r.IDs == 0 || r.Rate > 0 {
		return ""
	}
	return fmt.Sprintf("%s, %s times a shared atomic add (%s), %s times one in a call (%s)",
		formatNS(r.NSPerID), threeDigits(r.Ratio), formatNS(r.AtomicAddNS),
		threeDigits(r.CallRatio), formatNS(r.AtomicCallNS))
}

func ringText(r result) string {
	if r.RingSize == 0 {
		return ""
	}
	return fmt.Sprintf("%s ids, found empty by %s", humanize.Comma(r.RingSize),
		plural(r.RejectedTakes, "take"))
}

// borrowedText has nothing to say of a generator that follows the clock: the end of its
// tick, to which AheadSeconds counts, is at most a tick ahead.
func borrowedText(r result) string {
	layout := r.layout()
	if r.RingSize == 0 || r.AheadSeconds <= layout.Unit.Seconds() {
		return ""
	}
	text := fmt.Sprintf("%s ahead of the clock, %s %% of the layout's time",
		FormatSpan(r.AheadSeconds), threeDigits(100*r.LifeUsed))
	if used := r.LifeUsed * layoutSeconds(layout); used > 0 {
		left := secondsBetween(r.Started, layout.End()) - r.AheadSeconds
		text += "; at this pace it is over in " + FormatSpan(left/used*r.Seconds)
	}
	return text
}

// layout is the zero one where the report has none.
func (r result) layout() uid.Layout {
	l, _ := uid.ParseLayout(r.Layout)
	l.Epoch = r.Epoch
	return l
}

func errorsText(r result) string {
	if r.Errors == 0 {
		return ""
	}
	return fmt.Sprintf("%s, the first: %s", plural(r.Errors, "take"), r.FirstError)
}

func verifiedText(r result) string {
	if r.Duplicates == nil {
		return ""
	}
	text := "every id is new"
	if r.UnverifiedIDs > 0 {
		text = fmt.Sprintf("%s NOT CHECKED, each of the others is new", humanize.Comma(r.UnverifiedIDs))
	}
	if n := *r.Duplicates; n > 0 {
		var first []string
		for _, id := range r.FirstDuplicates {
			first = append(first, id.String())
		}
		text = fmt.Sprintf("%s DUPLICATES: %s", humanize.Comma(n), strings.Join(first, ", "))
	}
	switch n := r.OrderViolations; {
	case n == nil:
	case *n > 0:
		text += fmt.Sprintf(", %s OUT OF ORDER", humanize.Comma(*n))
	default:
		text += " and above the last one of its goroutine"
	}
	return text
}

func writeLatency(b *strings.Builder, r result) {
	if r.LatencySamples == 0 {
		return
	}
	what, count := "a call", humanize.Comma(r.LatencySamples)+" timed"
	if r.Mode == "batch" {
		what = fmt.Sprintf("a call for %s ids", humanize.Comma(int64(r.Batch)))
	}
	if r.Rate > 0 {
		what, count = "a call from when it was due", humanize.Comma(r.LatencySamples)+" due"
		if r.NeverRan > 0 {
			count += fmt.Sprintf(" (%s never ran)", humanize.Comma(r.NeverRan))
		}
	}
	fmt.Fprintf(b, "\n  latency of %s, %s, the timer's own %s in each\n",
		what, count, formatNS(float64(r.TimerNS)))
	var names, values strings.Builder
	for name, ns := range r.Latency.all() {
		names.WriteString("\t" + name)
		values.WriteString("\t" + formatNS(float64(ns)))
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\t\n%s\t\n", names.String(), values.String())
	t.Flush() // into a strings.Builder: cannot fail
}

func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return humanize.Comma(n) + " " + thing + "s"
}
