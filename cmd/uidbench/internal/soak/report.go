package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/human"
	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
)

// Report is what a soak found. The names of its JSON keys do not change.
type Report struct {
	Interrupted bool    `json:"interrupted"`
	Store       string  `json:"store"` // this and the next two are for the caller to fill in
	Class       string  `json:"class,omitempty"`
	Layout      string  `json:"layout"`
	Processes   int     `json:"processes"`
	Seconds     float64 `json:"seconds"`        // since all processes took ids
	Logs        string  `json:"logs,omitempty"` // the folder with them

	IDs             int64             `json:"ids"`
	Duplicates      int64             `json:"duplicates"`
	FirstDuplicates []idlog.Duplicate `json:"first_duplicates,omitempty"`
	OrderViolations int64             `json:"order_violations"` // within one life of one process

	Kills     int64 `json:"kills"`
	Pauses    int64 `json:"pauses"`
	Takeovers int64 `json:"takeovers"` // of worker ids whose process had not released them
}

// report checks the logs and says what was found, and what of it is wrong.
func (s *soak) report(ctx context.Context, end time.Time, err error) (Report, error) {
	var logs []string
	for _, c := range s.all {
		if c.ids() > 0 {
			logs = append(logs, c.log)
		}
	}
	f, failed := checkLogs(logs, s.Layout)
	r := Report{
		Interrupted: ctx.Err() != nil, Processes: s.Processes, Logs: s.Dir,
		IDs: f.IDs, Duplicates: f.Duplicates, FirstDuplicates: f.FirstDuplicates,
		OrderViolations: f.OutOfOrder,
		Kills:           s.kills, Pauses: s.pauses, Takeovers: s.takeovers,
	}
	if !s.begin.IsZero() {
		r.Seconds = end.Sub(s.begin).Seconds()
	}
	return r, errors.Join(verdict(f), err, failed)
}

// WriteText writes the report for people.
func WriteText(w io.Writer, r Report) error {
	interrupted, logs := "", ""
	if r.Interrupted {
		interrupted = " (interrupted)"
	}
	if r.Logs != "" {
		logs = "  logs      " + r.Logs + "\n"
	}
	_, err := fmt.Fprintf(w, `soak of %s, layout %s, worker ids from %s (%s)

  ids       %s in %.0f s%s
  verified  %s
  faults    killed %s, paused %s; %s of a worker id
%s`,
		human.Count(int64(r.Processes), "process"), r.Layout, r.Store, r.Class,
		humanize.Comma(r.IDs), r.Seconds, interrupted,
		verifiedText(r),
		human.Count(r.Kills, "time"), human.Count(r.Pauses, "time"), human.Count(r.Takeovers, "takeover"),
		logs)
	return err
}

func verifiedText(r Report) string {
	text := "every id is new"
	if r.Duplicates > 0 {
		text = fmt.Sprintf("%s, the first: %v", human.Count(r.Duplicates, "DUPLICATE"),
			r.FirstDuplicates[0])
	}
	if r.OrderViolations > 0 {
		return text + fmt.Sprintf(", %s OUT OF ORDER", humanize.Comma(r.OrderViolations))
	}
	return text + ", and each process's own only grow"
}
