package soak

import (
	"context"
	"errors"
	"time"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/idlog"
)

// Report is what a soak found. The names of its JSON keys do not change.
type Report struct {
	Interrupted bool     `json:"interrupted"`
	Store       string   `json:"store"` // this and the next four are for the caller to fill in
	Namespace   string   `json:"namespace,omitempty"`
	Assigner    string   `json:"assigner"`
	Class       string   `json:"class,omitempty"`
	Layout      string   `json:"layout"`
	Processes   int      `json:"processes"`
	Rate        float64  `json:"rate"` // ids a second asked for, of each process, beside its surges
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
	CheckSeconds    float64           `json:"check_seconds"`

	Kills       int64 `json:"kills"`
	Pauses      int64 `json:"pauses"`
	Outages     int64 `json:"outages"`
	ClocksBack  int64 `json:"clocks_back"`
	Acquired    int64 `json:"acquired"`  // worker ids
	Takeovers   int64 `json:"takeovers"` // of those, rows that nobody had released
	Released    int64 `json:"released"`
	StoreWrites int64 `json:"store_writes"` // sent to the store, answered or not

	LongestGapMs   float64 `json:"longest_gap_ms"`   // of a take, the time that soak paused its process not counted
	LongestStartMs float64 `json:"longest_start_ms"` // from the start of a process to its first id
}

// report checks the logs and says what was found, and what of it is wrong.
func (s *soak) report(ctx context.Context, end time.Time, err error) (Report, error) {
	r := Report{
		Interrupted: ctx.Err() != nil,
		Processes:   s.Processes,
		Rate:        s.Rate,
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
	r.CheckSeconds = f.Seconds
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
	var (
		all            writeLog
		longest, start time.Duration
	)
	for _, c := range s.all {
		for _, e := range c.events {
			all.add(e)
			if e.Kind == gap {
				longest = max(longest, awake(interval{e.From, e.To}, c.pauses))
			}
		}
		start = max(start, c.started)
		r.Errors += c.errors
		if c.lastError != "" && len(r.FirstErrors) < examples {
			r.FirstErrors = append(r.FirstErrors, c.name+": "+c.lastError)
		}
	}
	n := all.counts()
	r.Acquired, r.Takeovers, r.Released, r.StoreWrites = n.acquired, n.takeovers, n.released, n.writes
	r.LongestGapMs, r.LongestStartMs = milliseconds(longest), milliseconds(start)
}

// awake is how much of a wait lies outside of the pauses.
func awake(wait interval, pauses []interval) time.Duration {
	left := wait.to - wait.from
	for _, p := range pauses {
		left -= max(0, min(wait.to, p.to)-max(wait.from, p.from))
	}
	return time.Duration(left)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
