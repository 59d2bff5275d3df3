package idlog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Examples is how many duplicates a report names.
const Examples = 10

// Report is what was found in logs. The names of its JSON keys do not change.
type Report struct {
	Interrupted bool      `json:"interrupted"` // it ended before the end of the inputs
	Files       int       `json:"files"`
	Layout      string    `json:"layout"` // for the caller to fill in, before Verdict
	Epoch       time.Time `json:"epoch"`

	Lines        int64   `json:"lines"`
	IDs          int64   `json:"ids"`
	Seconds      float64 `json:"seconds"`
	IDsPerSecond float64 `json:"ids_per_second"`
	BadLines     int64   `json:"bad_lines"` // that were skipped
	FirstBad     string  `json:"first_bad,omitempty"`

	Duplicates      int64       `json:"duplicates"`
	FirstDuplicates []Duplicate `json:"first_duplicates,omitempty"`

	// ids not above the one before them in their file
	OutOfOrder int64 `json:"out_of_order"`
	// not above the one before with their worker id
	OutOfOrderOfWorker int64 `json:"out_of_order_of_worker"`

	Foreign      int64  `json:"foreign"` // ids that the layout cannot have made
	FirstForeign string `json:"first_foreign,omitempty"`
	// ids with a time that was still to come when they were read
	AheadOfNow int64  `json:"ahead_of_now"`
	FirstTime  string `json:"first_time,omitempty"`
	LastTime   string `json:"last_time,omitempty"`

	Workers        []Worker `json:"workers"` // the worst ones first
	WorkersBound   int      `json:"workers_bound"`
	OfOtherWorkers int64    `json:"of_other_workers"` // ids with worker ids beyond the bound

	elsewhere bool // all ids are of another layout, or of a time far ahead
}

// Worker is what the ids with one worker id have in common.
type Worker struct {
	Worker     int64   `json:"worker"`
	IDs        int64   `json:"ids"`
	FirstTime  string  `json:"first_time"`
	LastTime   string  `json:"last_time"`
	Duplicates int64   `json:"duplicates"`
	OutOfOrder int64   `json:"out_of_order"`      // ids not above the one before them, in their file
	StepBack   float64 `json:"step_back_seconds"` // the largest, in time
}

// Duplicate is an id that is in two places: where it was first, unless that cannot be
// told because an input was read that can be read only once, and where it came again.
type Duplicate struct {
	ID     uid.ID  `json:"id"`
	Places []Place `json:"places"`
}

func (d Duplicate) String() string {
	if len(d.Places) == 1 {
		return fmt.Sprintf("%v at %v, and before", d.ID, d.Places[0])
	}
	return fmt.Sprintf("%v at %v and %v", d.ID, d.Places[0], d.Places[1])
}

// Place is a line of a file, counted from 1 on.
type Place struct {
	File string `json:"file"`
	Line int64  `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Verdict returns an error that wraps ErrDuplicate when an id came twice, and
// uid.ErrForeign when none of the ids can be of the layout.
func (r Report) Verdict() error {
	var errs []error
	if r.Duplicates > 0 {
		errs = append(errs, fmt.Errorf("%w: %d of them, the first: %v",
			ErrDuplicate, r.Duplicates, r.FirstDuplicates[0]))
	}
	if r.elsewhere {
		errs = append(errs, fmt.Errorf("%w: none of the ids looks like one of %s", uid.ErrForeign,
			r.Layout))
	}
	return errors.Join(errs...)
}

// plausible is how far ahead of now ids may be that were borrowed from the future.
const plausible = 30 * 24 * time.Hour

// report completes what was found.
func (k *check) report() Report {
	r := k.found
	r.Files = len(k.inputs)
	r.Epoch = k.Layout.Epoch.UTC()
	if r.Seconds = time.Since(k.began).Seconds(); r.Seconds > 0 {
		r.IDsPerSecond = float64(r.IDs) / r.Seconds
	}
	r.Workers, r.WorkersBound = []Worker{}, mostWorkers // [] rather than null
	for _, w := range k.workers {
		w.FirstTime, w.LastTime = k.text(w.first), k.text(w.last)
		r.Workers = append(r.Workers, w.Worker)
	}
	slices.SortFunc(r.Workers, worse)
	if r.IDs > r.Foreign {
		r.FirstTime, r.LastTime = k.text(k.first), k.text(k.last)
	}
	r.elsewhere = r.IDs > 0 && (r.IDs == r.Foreign || k.first.Time.After(k.now.Add(plausible)))
	return r
}

// worse has those first that one should look at.
func worse(a, b Worker) int {
	return cmp.Or(
		cmp.Compare(b.Duplicates, a.Duplicates),
		cmp.Compare(b.OutOfOrder, a.OutOfOrder),
		cmp.Compare(a.Worker, b.Worker),
	)
}

// text writes the time of an id, as exactly as ticks are.
func (k *check) text(p uid.Parts) string {
	if k.Layout.Unit%time.Second != 0 {
		return p.Time.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return p.Time.Format(time.RFC3339)
}

func namesOf(inputs []Input) string {
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}
