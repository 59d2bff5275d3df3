package charts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/bench"
)

// RunPage returns a run's report as a page, with the figures of Run. The caller may set
// Command.
func RunPage(r bench.Report) (Page, error) {
	figures, err := Run(r)
	if err != nil {
		return Page{}, err
	}
	return Page{
		Title: bench.FormatRate(r.IDsPerSecond) + " by a " +
			strings.TrimSpace(r.Generator+" generator"),
		Summary: summary(r),
		Made:    r.Started.Add(time.Duration(r.Seconds * float64(time.Second))),
		Facts:   facts(r),
		Figures: figures,
		Tables:  []Table{results(r), latencies(r), settings(r), machine(r)},
	}, nil
}

func summary(r bench.Report) string {
	text := fmt.Sprintf("%s ids in %s", humanize.Comma(r.IDs), bench.FormatSpan(r.Seconds))
	if r.Rate == 0 && r.Ratio > 0 {
		text += fmt.Sprintf("; an id cost %.3g times an atomic add to %s", r.Ratio, counter)
	}
	switch {
	case r.Duplicates != nil && *r.Duplicates == 0 && r.UnverifiedIDs > 0:
		text += fmt.Sprintf("; %s of them COULD NOT BE CHECKED, each of the others is new",
			humanize.Comma(r.UnverifiedIDs))
	case r.Duplicates != nil && *r.Duplicates == 0:
		text += "; every id was kept and is new"
	case r.Duplicates != nil:
		text += fmt.Sprintf("; %s OF THEM ARE DUPLICATES", humanize.Comma(*r.Duplicates))
	}
	if r.Interrupted {
		text += "; interrupted, so this is a part of what was asked for"
	}
	return text + "."
}

// counter is what an atomic add is to.
const counter = "a counter that the same goroutines share"

func facts(r bench.Report) []Fact {
	all := []Fact{{bench.FormatRate(r.IDsPerSecond), "ids"}}
	if r.Rate == 0 {
		all = append(all, Fact{bench.FormatSpan(r.NSPerID / 1e9), "an id"},
			Fact{fmt.Sprintf("%.3g", r.Ratio), "of an atomic add"})
	}
	if name, took := highestKnown(r.Latency); took > 0 {
		all = append(all, Fact{ns(took), name + " of " + callText(r)})
	}
	if r.RingSize > 0 {
		all = append(all, Fact{bench.FormatSpan(r.AheadSeconds), "ahead of the clock"})
	}
	return all
}

func results(r bench.Report) Table {
	t := Table{Title: "What was found", Rows: [][2]string{
		{"ids", humanize.Comma(r.IDs)},
		{"takes that failed", humanize.Comma(r.Errors)},
		{"takes that found the ring empty", humanize.Comma(r.RejectedTakes)},
	}}
	for _, text := range r.FirstErrors {
		t.Rows = append(t.Rows, [2]string{"error", text})
	}
	verified := "not verified"
	if r.Duplicates != nil {
		verified = humanize.Comma(*r.Duplicates)
	}
	t.Rows = append(t.Rows, [2]string{"duplicates", verified})
	if r.UnverifiedIDs > 0 {
		t.Rows = append(t.Rows, [2]string{"ids not checked", humanize.Comma(r.UnverifiedIDs)})
	}
	if r.OrderViolations != nil {
		t.Rows = append(t.Rows, [2]string{"out of order", humanize.Comma(*r.OrderViolations)})
	}
	return t
}

func latencies(r bench.Report) Table {
	t := Table{Title: "Latency of " + callText(r)}
	for name, took := range r.Latency.All() {
		t.Rows = append(t.Rows, [2]string{name, ns(took)})
	}
	t.Rows = append(t.Rows, [2]string{"of it the timer's own", ns(r.TimerNS)})
	calls := humanize.Comma(r.LatencySamples)
	if r.Rate == 0 {
		t.Rows = append(t.Rows, [2]string{"calls timed", calls})
		return t
	}
	t.Rows = append(t.Rows,
		[2]string{"calls due", calls}, [2]string{"of them never ran", humanize.Comma(r.NeverRan)})
	return t
}

// highestKnown is the highest percentile that the calls show; 0 when they show none.
func highestKnown(l bench.Latency) (name string, took int64) {
	for n, t := range l.All() {
		if n != "max" {
			name, took = n, t
		}
	}
	return name, took
}

func settings(r bench.Report) Table {
	load := "as fast as can be"
	if r.Rate > 0 {
		load = bench.FormatRate(r.Rate) + " due, at constant intervals"
	}
	t := Table{Title: "Settings", Rows: [][2]string{
		{"generator", r.Generator},
		{"layout", r.Layout + " since " + r.Epoch.UTC().Format(time.DateOnly)},
		{"it ends", r.LayoutEnd},
		{"worker id", fmt.Sprintf("%d (%s)", r.WorkerID, r.Class)},
		{"from", cmp.Or(r.Store, "the caller")},
		{"goroutines", humanize.Comma(int64(r.Goroutines))},
		{"mode", modeText(r)},
		{"load", load},
	}}
	if r.RingSize > 0 {
		t.Rows = append(t.Rows, [2]string{"ring", humanize.Comma(r.RingSize) + " ids"})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		t.Rows = append(t.Rows,
			[2]string{strings.ReplaceAll(name, "_", " "), fmt.Sprint(r.Settings[name])})
	}
	return t
}

func modeText(r bench.Report) string {
	if r.Mode == "batch" {
		return fmt.Sprintf("batches of %s", humanize.Comma(int64(r.Batch)))
	}
	return r.Mode
}

func machine(r bench.Report) Table {
	m := r.Machine
	return Table{Title: "Machine", Rows: [][2]string{
		{"CPU", cmp.Or(m.CPU, "unknown")},
		{"CPUs", fmt.Sprintf("%d, of which Go used %d", m.CPUs, m.GOMAXPROCS)},
		{"system", m.OS + "/" + m.Arch},
		{"Go", m.Go},
	}}
}
