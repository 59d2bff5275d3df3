package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/ringuid/ringuid/bench"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/migrate"
	"github.com/ringuid/ringuid/uid"
)

func writeMigration(w io.Writer, m migrate.Migration) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	old := fmt.Sprintf("until %s, and %v ahead of that", formatTime(m.At, m.From.Unit),
		m.Options.Ahead)
	if end := m.From.End(); !m.At.Before(end) {
		old = "until its time ended at " + formatTime(end, m.From.Unit)
	}
	fmt.Fprintf(t, "old\t%v\n\t%s\n", m.From, old)
	if !m.Wraps.IsZero() {
		fmt.Fprintf(t, "\tgenerators that do not notice, such as Baidu's cached one, go on\n")
		fmt.Fprintf(t, "\twith negative ids, which no new id equals, and with the first\n")
		fmt.Fprintf(t, "\tones again at %s\n", formatTime(m.Wraps, m.From.Unit))
	}
	fmt.Fprintf(t, "new\t%v\n\tfrom %s until its time ends at %s\n", m.To, formatTime(m.At, m.To.Unit),
		formatTime(m.To.End(), m.To.Unit))
	if m.Safe {
		fmt.Fprintf(t, "safe\tno new id equals an old one\n")
		return t.Flush()
	}
	if sameLayout(m) {
		fmt.Fprintf(t, "same\tone layout: safe as long as worker ids differ. Let old and new processes\n")
		fmt.Fprintf(t, "\ttake them from one place, WORKER_NODE or one namespace of leases; then\n")
		fmt.Fprintf(t, "\tthere is nothing to migrate. Two processes with one worker id make ids\n")
		fmt.Fprintf(t, "\tthat are equal, from %s until\n\t%s, or as long as both run\n",
			formatTime(m.Since, m.To.Unit), formatTime(m.Until, m.To.Unit))
		return writeChanges(t, m)
	}
	fmt.Fprintf(t, "equal\tfrom %s until %s, such as %v and %v\n",
		formatTime(m.Since, m.To.Unit), formatTime(m.Until, m.To.Unit), m.First, m.Last)
	if m.Since.After(m.At) {
		fmt.Fprintf(t, "\tuntil then none are: that may be long enough\n")
	}
	return writeChanges(t, m)
}

// sameLayout reports whether it is one layout, with ids that can be equal.
func sameLayout(m migrate.Migration) bool { return !m.Safe && isSame(m.From, m.To) }

func isSame(a, b uid.Layout) bool {
	same := a.Epoch.Equal(b.Epoch)
	a.Epoch = b.Epoch // one instant may be written in two ways
	return same && a == b
}

// writeChanges lists what would help.
func writeChanges(t *tabwriter.Writer, m migrate.Migration) error {
	label := "do"
	for _, c := range m.Changes {
		fmt.Fprintf(t, "%s\t%s\n", label, changeText(c))
		label = "or"
	}
	for _, hint := range hints(m) {
		fmt.Fprintf(t, "%s\t%s\n", label, hint)
		label = "or"
	}
	return t.Flush()
}

// changeText says what to type, and what it costs.
func changeText(c migrate.Change) string {
	switch c.Kind {
	case "epoch":
		return fmt.Sprintf("set an earlier epoch: --to-epoch %s; the new layout then ends at %s",
			formatEpoch(c.To.Epoch), formatTime(c.To.End(), c.To.Unit))
	case "tail":
		return fmt.Sprintf("set other tail bits: --to %s --to-epoch %s", bench.FormatLayout(c.To),
			formatEpoch(c.To.Epoch))
	}
	return fmt.Sprintf("use worker ids from %d on: --new-workers %d; a table of worker ids that "+
		"both share goes on counting by itself",
		c.FirstWorker, c.FirstWorker)
}

func formatEpoch(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// hints are what may help where the flags leave it open.
func hints(m migrate.Migration) (all []string) {
	if m.Options.LastWorker == 0 && m.From.WorkerBits > 0 {
		all = append(all, "say how many worker ids the old layout used, with --old-workers: "+
			"new ones above them may keep ids apart")
	}
	if m.Options.Began.IsZero() {
		all = append(all, "say when the first old id was made, with --began: ids of the time before "+
			"are free")
	}
	return all
}

// migrationJSON is the answer as JSON shows it.
type migrationJSON struct {
	Safe    bool         `json:"safe"`
	Same    bool         `json:"same_layout,omitempty"`
	From    string       `json:"from"`
	To      string       `json:"to"`
	At      string       `json:"at"`
	Ahead   float64      `json:"ahead_seconds"`
	ToEnd   string       `json:"to_end"`
	First   string       `json:"first_equal_id,omitempty"`
	Last    string       `json:"last_equal_id,omitempty"`
	Since   string       `json:"equal_since,omitempty"`
	Until   string       `json:"equal_until,omitempty"`
	Ended   string       `json:"from_ended,omitempty"`
	Wraps   string       `json:"from_wraps,omitempty"`
	Changes []changeJSON `json:"changes"`
}

type changeJSON struct {
	Change      string `json:"change"`
	Layout      string `json:"layout"`
	Epoch       string `json:"epoch"`
	End         string `json:"end"`
	FirstWorker int64  `json:"first_worker"`
}

func writeMigrationJSON(w io.Writer, m migrate.Migration) error {
	j := migrationJSON{
		Safe: m.Safe, Same: isSame(m.From, m.To),
		From: m.From.String(), To: m.To.String(),
		At:      formatEpoch(m.At),
		Ahead:   m.Options.Ahead.Seconds(),
		ToEnd:   formatTime(m.To.End(), m.To.Unit),
		Changes: []changeJSON{},
	}
	if end := m.From.End(); !m.At.Before(end) {
		j.Ended = formatTime(end, m.From.Unit)
	}
	if !m.Wraps.IsZero() {
		j.Wraps = formatTime(m.Wraps, m.From.Unit)
	}
	if !m.Safe {
		j.First, j.Last = m.First.String(), m.Last.String()
		j.Since, j.Until = formatTime(m.Since, m.To.Unit), formatTime(m.Until, m.To.Unit)
	}
	for _, c := range m.Changes {
		j.Changes = append(j.Changes, changeJSON{
			c.Kind, bench.FormatLayout(c.To), formatEpoch(c.To.Epoch), formatTime(c.To.End(), c.To.Unit),
			c.FirstWorker,
		})
	}
	return human.WriteJSON(w, j)
}
