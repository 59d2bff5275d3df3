package main

import (
	"cmp"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ringuid/ringuid/bench"
)

// A report is what a run came to. Ratios are to the baseline, a shared atomic add by
// as many goroutines.
type report struct {
	Date     string        `json:"date"`
	Machine  string        `json:"machine"`
	CPUs     int           `json:"cpus"` // used, and the goroutines of "all"
	Rounds   int           `json:"rounds"`
	Slice    time.Duration `json:"slice_ns"`
	Takers   int           `json:"checked_by"` // goroutines
	Baseline baseline      `json:"atomic_add_ns"`
	Rows     []row         `json:"generators"` // by the ratio of one goroutine
	Quoted   string        `json:"quoted,omitempty"`

	baselineOne, baselineAll []float64
}

// baseline has the medians of the shared atomic add, in nanoseconds.
type baseline struct {
	One float64 `json:"one"`
	All float64 `json:"all"`
}

// A row is a generator.
type row struct {
	Name    string   `json:"name"`
	Variant string   `json:"variant,omitempty"`
	Module  string   `json:"module,omitempty"`
	Version string   `json:"version,omitempty"`
	Bytes   int      `json:"bytes,omitempty"` // of an id
	Ours    bool     `json:"ours"`
	Quoted  bool     `json:"quoted"`
	Limit   string   `json:"limit,omitempty"` // how many ids it makes before it waits for the clock
	One     timing   `json:"one"`
	All     timing   `json:"all"`
	Allocs  *float64 `json:"allocs_per_id"`
	Errors  int64    `json:"errors"` // while it was measured
	Faults  string   `json:"known_faults,omitempty"`
	Check   *finding `json:"check"`
	Note    string   `json:"note,omitempty"`
}

// A timing is a row's figures for so many goroutines: medians of the rounds, and the
// lowest and the highest ratio. A quoted one has a ratio alone, or a range.
type timing struct {
	NS    float64 `json:"ns_per_id,omitempty"`
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"lowest,omitempty"`
	High  float64 `json:"highest,omitempty"`
}

func newReport(o options) report {
	return report{
		Date:    time.Now().UTC().Format(time.DateOnly),
		Machine: bench.ThisMachine().String(),
		CPUs:    runtime.GOMAXPROCS(0),
		Rounds:  o.rounds,
		Slice:   o.slice,
		Takers:  o.goroutines,
	}
}

// finish adds the quoted rows that are wanted, and sorts.
func (r *report) finish(o options) {
	if len(r.baselineOne) > 0 {
		r.Baseline = baseline{median(r.baselineOne), median(r.baselineAll)}
	}
	if rows := quotedMatching(o.only); len(rows) > 0 {
		r.Rows = append(r.Rows, rows...)
		r.Quoted = quotedFrom
	}
	slices.SortStableFunc(r.Rows, func(a, b row) int { return cmp.Compare(a.One.Ratio, b.One.Ratio) })
}

func title(name, variant string) string {
	if variant == "" {
		return name
	}
	return name + ", " + variant
}

// title names a row with its version, which is that of a day where nobody tagged one.
func (r row) title() string {
	version := untagged.ReplaceAllString(r.Version, "$1")
	return title(strings.TrimSpace(r.Name+" "+version), r.Variant)
}

// untagged is what Go calls the version of a commit without a tag: a time, of which
// the day is enough, and a hash.
var untagged = regexp.MustCompile(`^(v0\.0\.0-\d{8})\d{6}-[0-9a-f]{12}$`)

// faults counts what went wrong in a row's slices and in its check.
func (r row) faults() int64 {
	n := r.Errors
	if r.Check != nil {
		n += r.Check.faults()
	}
	return n
}

func (r report) ourFaults() (n int64) {
	for _, row := range r.Rows {
		if row.Ours {
			n += row.faults()
		}
	}
	return n
}

// standard is the module of Go's own packages, whose version is Go's.
const standard = "std"

// version is that of the module that this binary was built with.
func version(module string) string {
	if module == standard {
		return runtime.Version()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || module == "" {
		return ""
	}
	for _, d := range info.Deps {
		if d.Path == module {
			return d.Version
		}
	}
	return ""
}
