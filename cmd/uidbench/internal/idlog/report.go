package idlog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/uid"
)

// Examples is how many duplicates a report names.
const Examples = 10

// Report is what was found in logs. The names of its JSON keys do not change.
type Report struct {
	Interrupted bool      `json:"interrupted"`
	Files       int       `json:"files"`
	Layout      string    `json:"layout"` // for the caller to fill in, before Verdict
	Epoch       time.Time `json:"epoch"`

	Lines        int64   `json:"lines"`
	IDs          int64   `json:"ids"`
	Seconds      float64 `json:"seconds"`
	IDsPerSecond float64 `json:"ids_per_second"`
	BadLines     int64   `json:"bad_lines"` // that were skipped
	FirstBad     string  `json:"first_bad,omitempty"`

	Compared        int64       `json:"compared"` // ids; all, unless it was interrupted
	Duplicates      int64       `json:"duplicates"`
	FirstDuplicates []Duplicate `json:"first_duplicates,omitempty"`

	OutOfOrder         int64 `json:"out_of_order"`           // ids not above the one before them in their file
	OutOfOrderOfWorker int64 `json:"out_of_order_of_worker"` // not above the one before with their worker id

	Foreign      int64  `json:"foreign"` // ids that the layout cannot have made
	FirstForeign string `json:"first_foreign,omitempty"`
	AheadOfNow   int64  `json:"ahead_of_now"` // ids with a time that was still to come when they were read
	FirstTime    string `json:"first_time,omitempty"`
	LastTime     string `json:"last_time,omitempty"`

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

	// Skew is how far ids are ahead of their lines. Nil: lines have no times.
	Skew *Spread `json:"skew_seconds,omitempty"`

	// Behind is how far ids are behind the newest one above them in their file.
	// Nil: there is a Skew.
	Behind *Spread `json:"behind_seconds,omitempty"`
}

// Spread is about seconds.
type Spread struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"` // to 1 in 16
	Max    float64 `json:"max"`
}

// Duplicate is an id that is in two places, one after the other.
type Duplicate struct {
	ID     uid.ID   `json:"id"`
	Places [2]Place `json:"places"`
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
		d := r.FirstDuplicates[0]
		errs = append(errs, fmt.Errorf("%w: %d of them, the first: %v at %v and %v", ErrDuplicate, r.Duplicates, d.ID, d.Places[0], d.Places[1]))
	}
	if r.elsewhere {
		errs = append(errs, fmt.Errorf("%w: none of the ids looks like one of %s", uid.ErrForeign, r.Layout))
	}
	return errors.Join(errs...)
}

// plausible is how far ahead of now ids may be that were borrowed from the future.
const plausible = 30 * 24 * time.Hour

// report completes what was found.
func (k *check) report(ctx context.Context) Report {
	r := k.found
	r.Interrupted = ctx.Err() != nil
	r.Files = len(k.inputs)
	r.Epoch = k.layout.Epoch.UTC()
	r.Compared = k.compared.Load()
	if r.Seconds = time.Since(k.began).Seconds(); r.Seconds > 0 {
		r.IDsPerSecond = float64(r.IDs) / r.Seconds
	}
	r.Workers, r.WorkersBound = k.reportWorkers(), mostWorkers
	if r.IDs > r.Foreign {
		r.FirstTime, r.LastTime = k.text(k.first), k.text(k.last)
	}
	r.elsewhere = r.IDs > 0 && (r.IDs == r.Foreign || k.time(k.first).After(k.Now().Add(plausible)))
	return r
}

// reportWorkers has those first that one should look at.
func (k *check) reportWorkers() []Worker {
	all := []Worker{} // [] rather than null
	for _, w := range k.known.all {
		r := Worker{
			Worker: w.id, IDs: w.ids, FirstTime: k.text(w.first), LastTime: k.text(w.last),
			Duplicates: w.duplicates, OutOfOrder: w.outOfOrder, StepBack: seconds(k.span(w.stepBack)),
		}
		s := &Spread{seconds(w.spread.least), seconds(w.spread.median()), seconds(w.spread.most)}
		if k.Format.Timed() {
			r.Skew = s
		} else {
			r.Behind = s
		}
		all = append(all, r)
	}
	slices.SortFunc(all, worse)
	return all
}

func worse(a, b Worker) int {
	return cmp.Or(
		cmp.Compare(b.Duplicates, a.Duplicates),
		cmp.Compare(b.OutOfOrder, a.OutOfOrder),
		cmp.Compare(b.farthest(), a.farthest()),
		cmp.Compare(a.Worker, b.Worker),
	)
}

// farthest is how far the time of an id is off at most.
func (w Worker) farthest() float64 {
	if w.Skew != nil {
		return max(math.Abs(w.Skew.Min), math.Abs(w.Skew.Max))
	}
	return w.Behind.Max
}

// text writes the time of a tick, as exactly as ticks are.
func (k *check) text(tick int64) string {
	if k.layout.Unit%time.Second != 0 {
		return k.time(tick).Format("2006-01-02T15:04:05.000Z07:00")
	}
	return k.time(tick).Format(time.RFC3339)
}

func seconds(millis int64) float64 { return float64(millis) / 1000 }

func namesOf(inputs []Input) string {
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	return strings.Join(names, ", ")
}
