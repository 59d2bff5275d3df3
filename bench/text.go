package bench

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// WriteText writes the report as a table for people. What depends on the machine comes last.
func WriteText(w io.Writer, r Report) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(t, "  %s\t%s\n", label, strings.ReplaceAll(text, "\n", "\n  \t"))
		}
	}
	row("ids a second", rateText(r))
	row("ids", idsText(r))
	if r.IDs > 0 && r.Rate == 0 { // else the pace is given
		row("time per id", formatNS(r.NSPerID))
	}
	row("time per call", perCallText(r))
	row("ahead", aheadText(r))
	row("ring", ringText(r))
	if r.Errors > 0 {
		row("errors", plural(r.Errors, "call")+" failed")
	}
	row("verified", verifiedText(r))
	t.Flush() // into a strings.Builder: cannot fail
	writeLatency(&b, r)
	writeOrigin(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func writeOrigin(b *strings.Builder, r Report) {
	fmt.Fprintf(b, "\n%s generator", r.Generator)
	if r.WorkerID >= 0 { // else it is another program's, which does not say it
		fmt.Fprintf(b, ", layout %v, until %s\nworker id %d (%s)", r.Layout,
			r.Layout.End().Format(time.DateOnly), r.WorkerID, r.Class)
	}
	add, call := formatNS(r.AtomicAddNS), formatNS(r.AtomicCallNS)
	if r.IDs > 0 && r.Rate == 0 {
		add += fmt.Sprintf(" here: an id costs %s of them", threeDigits(r.Ratio))
		call += ": " + threeDigits(r.CallRatio)
	}
	fmt.Fprintf(b, "\n%s\nan atomic add to one shared counter took %s\n(in a function call %s)\n",
		r.Machine, add, call)
}

func idsText(r Report) string {
	how := "one at a time"
	switch r.Mode {
	case "batch":
		how = fmt.Sprintf("%s at a time", humanize.Comma(int64(r.Batch)))
	case "stream":
		how = "from a stream each"
	}
	who := plural(int64(r.Goroutines), "goroutine")
	return fmt.Sprintf("%s in %s, by %s, %s", humanize.Comma(r.IDs), FormatSpan(r.Seconds), who, how)
}

func rateText(r Report) string {
	text := aSecond(r.IDsPerSecond)
	if r.Rate > 0 {
		text += fmt.Sprintf(", asked for %s", aSecond(r.Rate))
		// Each goroutine may have had one more to take at the end.
		if due := r.Rate * r.Seconds; float64(r.IDs+int64(r.Goroutines)) < 0.99*due {
			text += ": it fell behind"
		}
	}
	return text
}

// aSecond formats a rate whose unit is given elsewhere: 182 M.
func aSecond(rate float64) string { return strings.TrimRight(FormatRate(rate), " /s") }

// perCallText sums up the table of latencies in a few figures.
func perCallText(r Report) string {
	p50, known := r.Latency["p50"]
	if !known {
		return ""
	}
	text := fmt.Sprintf("half took %s or less, ", formatNS(float64(p50)))
	if r.Rate > 0 {
		text = "from when it was due, " + text
	}
	if p99, known := r.Latency["p99"]; known {
		text += fmt.Sprintf("99 %% took %s or less, ", formatNS(float64(p99)))
	}
	return text + fmt.Sprintf("the longest of %s timed %s", humanize.Comma(r.LatencySamples),
		formatNS(float64(r.Latency["max"])))
}

func ringText(r Report) string {
	if r.RingSize == 0 {
		return ""
	}
	waited := "no call had to wait"
	if r.RejectedTakes > 0 {
		waited = plural(r.RejectedTakes, "call") + " had to wait"
	}
	return fmt.Sprintf("room for %s ids in advance; %s", humanize.Comma(r.RingSize), waited)
}

// aheadText returns nothing for a generator that follows the clock: the end of its tick, up to
// which AheadSeconds counts, is at most a tick ahead.
func aheadText(r Report) string {
	layout := r.Layout
	if r.RingSize == 0 || r.AheadSeconds <= layout.Unit.Seconds() {
		return ""
	}
	text := "the last ids have times that are " + FormatSpan(r.AheadSeconds) + " ahead of the clock, "
	holds := math.Ldexp(1/layout.Unit.Seconds(), layout.SeqBits)
	if r.IDsPerSecond <= holds {
		return text + "as\nids are in a store's first minute, and in a burst"
	}
	text += fmt.Sprintf("because\nthey were taken faster than the %s a second that the layout "+
		"holds;\nthis used up %s %% of its time", aSecond(holds), threeDigits(100*r.LifeUsed))
	if strings.HasPrefix(r.Class, "Fenced") { // ids are at most a minute ahead
		return text
	}
	left := secondsBetween(r.Started, layout.End()) - r.AheadSeconds
	return text + ", which ends in " + FormatSpan(left*holds/r.IDsPerSecond) + " at this pace"
}

func verifiedText(r Report) string {
	if r.Duplicates == nil {
		return ""
	}
	text := "every id is new"
	if r.UnverifiedIDs > 0 {
		text = fmt.Sprintf("%s NOT CHECKED, each of the others is new", humanize.Comma(r.UnverifiedIDs))
	}
	if n := *r.Duplicates; n > 0 {
		text = humanize.Comma(n) + " DUPLICATES"
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

func writeLatency(b *strings.Builder, r Report) {
	if r.LatencySamples == 0 {
		return
	}
	what, count := "a call", humanize.Comma(r.LatencySamples)+" timed"
	if r.Mode == "batch" {
		what = "a call for " + plural(int64(r.Batch), "id")
	}
	if r.Rate > 0 {
		what, count = "a call from when it was due", humanize.Comma(r.LatencySamples)+" due"
		if r.NeverRan > 0 {
			count += fmt.Sprintf(" (%s never ran)", humanize.Comma(r.NeverRan))
		}
	}
	fmt.Fprintf(b, "\n  latency of %s, %s, with %s for reading the clock\n",
		what, count, FormatSpan(r.timer.Seconds()))
	var names, values strings.Builder
	for name, ns := range known(r.Latency) {
		names.WriteString("\t" + name)
		values.WriteString("\t" + formatNS(float64(ns)))
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\t\n%s\t\n", names.String(), values.String())
	t.Flush() // into a strings.Builder: cannot fail
}

func plural(n int64, thing string) string {
	return humanize.Comma(n) + " " + english.PluralWord(int(min(n, 2)), thing, "")
}
