package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/ringuid/ringuid/cmd/internal/cli"
	"github.com/ringuid/ringuid/cmd/ringuid/internal/idlog"
	"github.com/ringuid/ringuid/uid"
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

// report checks the logs. It returns what was found, and an error for what of it is wrong.
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

// lineBytes is what an id takes in a log: 19 digits and the end of the line.
const lineBytes = 20

func appendID(b []byte, id uid.ID) []byte { return fmt.Appendf(b, "%019d\n", id) }

// checkLogs compares all ids of the files. An id does not count if its process was killed
// before it had written all of it. The logs of an interrupted soak are also checked to the end.
func checkLogs(files []string, l uid.Layout) (idlog.Report, error) {
	var inputs []idlog.Input
	for _, file := range files {
		info, err := os.Stat(file)
		if err == nil {
			err = os.Truncate(file, info.Size()/lineBytes*lineBytes)
		}
		if err != nil {
			return idlog.Report{}, fmt.Errorf("soak: checking a log: %w", err)
		}
		inputs = append(inputs, idlog.Input{Name: filepath.Base(file),
			Open: func() (io.ReadCloser, error) { return os.Open(file) }})
	}
	r, err := idlog.Check(context.Background(), l, inputs)
	switch {
	case errors.Is(err, idlog.ErrEmpty):
		return r, nil
	case err != nil:
		return r, fmt.Errorf("soak: checking the logs, as `ringuid verify` does: %w", err)
	}
	return r, nil
}

func verdict(r idlog.Report) error {
	err := r.Verdict()
	if r.OutOfOrder > 0 {
		err = errors.Join(err, fmt.Errorf("%w: %d of them", ErrOrder, r.OutOfOrder))
	}
	return err
}

// WriteText writes the report for people. Tabs end the cells of its table.
func (r Report) WriteText(w io.Writer) {
	interrupted, verified := "", "every id is new"
	order := ", and each process's own only grow"
	if r.Interrupted {
		interrupted = " (interrupted)"
	}
	switch {
	case r.IDs == 0:
		verified, order = "there are no ids", ""
	case r.Duplicates > 0:
		verified = fmt.Sprintf("%s, the first: %v", cli.Count(r.Duplicates, "DUPLICATE id"),
			r.FirstDuplicates[0])
	}
	if r.OrderViolations > 0 {
		order = fmt.Sprintf(", %s OUT OF ORDER", humanize.Comma(r.OrderViolations))
	}
	fmt.Fprintf(w, "soak of %s, layout %s, worker ids from %s (%s)\n\n",
		cli.Count(int64(r.Processes), "process"), r.Layout, r.Store, r.Class)
	fmt.Fprintf(w, "  ids\t%s in %.0f s%s\n  verified\t%s\n", humanize.Comma(r.IDs), r.Seconds,
		interrupted, verified+order)
	fmt.Fprintf(w, "  faults\tkilled %s, paused %s; %s of a worker id\n", cli.Count(r.Kills, "time"),
		cli.Count(r.Pauses, "time"), cli.Count(r.Takeovers, "takeover"))
	if r.Logs != "" {
		fmt.Fprintf(w, "  logs\t%s\n", r.Logs)
	}
}
