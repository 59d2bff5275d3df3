package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

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
	fmt.Fprintf(t, "new\t%v\n\tfrom %s until its time ends at %s\n", m.To, formatTime(m.At, m.To.Unit),
		formatTime(m.To.End(), m.To.Unit))
	switch {
	case m.Safe:
		fmt.Fprintf(t, "safe\tno new id equals an old one\n")
		return t.Flush()
	case sameLayout(m):
		fmt.Fprintf(t, "same\tone layout: safe as long as worker ids differ. Let old and new processes\n")
		fmt.Fprintf(t, "\ttake them from one place, and there is nothing to migrate\n")
	}
	fmt.Fprintf(t, "equal\tfrom %s until %s, such as %v\n",
		formatTime(m.Since, m.To.Unit), formatTime(m.Until, m.To.Unit), m.First)
	if m.Since.After(m.At) {
		fmt.Fprintf(t, "\tuntil then none are: that may be long enough\n")
	}
	if m.Options.LastWorker == 0 && m.From.WorkerBits > 0 {
		fmt.Fprintf(t, "try\t--old-workers with the highest old worker id, and --new-workers above it\n")
	}
	return t.Flush()
}

// sameLayout reports whether it is one layout, with ids that can be equal.
func sameLayout(m migrate.Migration) bool { return !m.Safe && isSame(m.From, m.To) }

func isSame(a, b uid.Layout) bool {
	same := a.Epoch.Equal(b.Epoch)
	a.Epoch = b.Epoch // one instant may be written in two ways
	return same && a == b
}

// migrationJSON is the answer as JSON shows it.
type migrationJSON struct {
	Safe  bool   `json:"safe"`
	Same  bool   `json:"same_layout,omitempty"`
	From  string `json:"from"`
	To    string `json:"to"`
	At    string `json:"at"`
	First string `json:"first_equal_id,omitempty"`
	Since string `json:"equal_since,omitempty"`
	Until string `json:"equal_until,omitempty"`
}

func asJSON(m migrate.Migration) migrationJSON {
	j := migrationJSON{
		Safe: m.Safe, Same: isSame(m.From, m.To),
		From: m.From.String(), To: m.To.String(),
		At: m.At.Format(time.RFC3339Nano),
	}
	if !m.Safe {
		j.First = m.First.String()
		j.Since, j.Until = formatTime(m.Since, m.To.Unit), formatTime(m.Until, m.To.Unit)
	}
	return j
}
