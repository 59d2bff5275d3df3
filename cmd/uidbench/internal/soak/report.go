package soak

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
)

// Report is what a soak found. The names of its JSON keys do not change.
type Report struct {
	Interrupted bool     `json:"interrupted"`
	Store       string   `json:"store"` // this and the next three are for the caller to fill in
	Namespace   string   `json:"namespace,omitempty"`
	Class       string   `json:"class,omitempty"`
	Layout      string   `json:"layout"`
	Processes   int      `json:"processes"`
	TTLMs       int64    `json:"ttl_ms"`
	WindowMs    int64    `json:"window_ms"`
	Faults      []Fault  `json:"faults"`
	Seconds     float64  `json:"seconds"` // since all processes took ids
	Logs        string   `json:"logs,omitempty"`
	Errors      int64    `json:"errors"` // that processes met, and went on
	FirstErrors []string `json:"first_errors,omitempty"`

	IDs             int64             `json:"ids"`
	IDsPerSecond    float64           `json:"ids_per_second"`
	Duplicates      int64             `json:"duplicates"`
	FirstDuplicates []idlog.Duplicate `json:"first_duplicates,omitempty"`
	OrderViolations int64             `json:"order_violations"` // within one life of one process

	Kills      int64 `json:"kills"`
	Pauses     int64 `json:"pauses"`
	Outages    int64 `json:"outages"`
	ClocksBack int64 `json:"clocks_back"`
	Acquired   int64 `json:"acquired"`  // worker ids, at the start of a process
	Takeovers  int64 `json:"takeovers"` // of those, from a process that had not released it
}

// report checks the logs and says what was found, and what of it is wrong.
func (s *soak) report(ctx context.Context, end time.Time, err error) (Report, error) {
	r := Report{
		Interrupted: ctx.Err() != nil,
		Processes:   s.Processes,
		TTLMs:       s.TTL.Milliseconds(),
		WindowMs:    s.Window.Milliseconds(),
		Faults:      append([]Fault{}, s.Faults...), // [] rather than null
		Kills:       s.faults.kills,
		Pauses:      s.faults.pauses,
		Outages:     s.faults.outages,
		ClocksBack:  s.faults.clocks,
		Logs:        s.Dir,
	}
	if !s.begin.IsZero() {
		r.Seconds = end.Sub(s.begin).Seconds()
	}
	s.reportLives(&r)

	var logs []logFile
	for _, c := range s.all {
		if c.ids() > 0 {
			logs = append(logs, c.log)
		}
	}
	f, failed := checkLogs(logs, s.Layout)
	r.IDs, r.Duplicates, r.OrderViolations = f.IDs, f.Duplicates, f.OutOfOrder
	r.FirstDuplicates = f.FirstDuplicates
	if r.Seconds > 0 {
		r.IDsPerSecond = float64(r.IDs) / r.Seconds
	}
	return r, errors.Join(verdict(f), err, failed)
}

const examples = 3 // errors to name

// reportLives adds up what the processes said.
func (s *soak) reportLives(r *Report) {
	for _, c := range s.all {
		if !c.started.IsZero() {
			r.Acquired++
		}
		if s.tookOver(c) {
			r.Takeovers++
		}
		r.Errors += c.errors
		if c.lastError != "" && len(r.FirstErrors) < examples {
			r.FirstErrors = append(r.FirstErrors, c.name+": "+c.lastError)
		}
	}
}

// tookOver reports whether a process had its worker id from one that was killed or paused.
func (s *soak) tookOver(c *instance) bool {
	return slices.ContainsFunc(s.all, func(other *instance) bool {
		had := !other.started.IsZero() && other.started.Before(c.started)
		return had && other.worker == c.worker &&
			(other.released.IsZero() || other.released.After(c.started))
	})
}
