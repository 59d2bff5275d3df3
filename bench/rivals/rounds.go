package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"
)

const (
	baselineShare = 4                // a slice of the baseline is this much shorter
	limitedCheck  = 10 * time.Second // a generator that waits for its clock is checked for so long at most
)

// An entrant is an opened candidate with what was measured so far.
type entrant struct {
	candidate
	subject
	one, all samples
	row      row
}

// samples are a timing's slices, one of each round.
type samples struct {
	ns, ratio []float64
	errors    int64
}

// compare opens the candidates, measures and checks them, and adds those that
// are quoted.
func compare(o options, some []candidate, progress io.Writer) (report, error) {
	r := newReport(o)
	if len(some) == 0 && len(quotedMatching(o.only)) == 0 {
		return r, errNone
	}
	entrants, err := openAll(some)
	defer closeAll(entrants)
	if err != nil {
		return r, err
	}
	for round := range o.rounds {
		fmt.Fprintf(progress, "round %d of %d\n", round+1, o.rounds)
		r.round(entrants, round, o.slice)
	}
	r.finishAll(entrants, o, progress)
	r.finish(o)
	return r, nil
}

// finishAll checks the entrants and makes their rows. The goroutines of a check have
// a thread each, however few CPUs there are, so that the system stops some of them
// in the middle of a call: that is when ids come twice.
func (r *report) finishAll(entrants []*entrant, o options, progress io.Writer) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(o.goroutines, r.CPUs)))
	for _, e := range entrants {
		e.finish(o, progress)
		r.Rows = append(r.Rows, e.row)
	}
}

// round measures each entrant once. It begins with another one each time, so that
// neighbours change.
func (r *report) round(entrants []*entrant, number int, slice time.Duration) {
	var one, all []float64 // the baseline beside each
	for i := range entrants {
		e := entrants[(i+number)%len(entrants)]
		one = append(one, e.one.add(e.subject, 1, slice))
		all = append(all, e.all.add(e.subject, runtime.GOMAXPROCS(0), slice))
	}
	for _, e := range entrants {
		e.one.relate(median(one))
		e.all.relate(median(all))
	}
	r.baselineOne, r.baselineAll = append(r.baselineOne, one...), append(r.baselineAll, all...)
}

func openAll(some []candidate) (all []*entrant, err error) {
	for _, c := range some {
		s, err := c.open()
		if err != nil {
			return all, fmt.Errorf("opening %s: %w", title(c.name, c.variant), err)
		}
		all = append(all, &entrant{candidate: c, subject: s})
	}
	return all, nil
}

// closeAll drops errors: what was measured stands.
func closeAll(entrants []*entrant) {
	for _, e := range entrants {
		_ = e.close()
	}
}

// add measures the generator and returns the baseline, measured right before.
func (s *samples) add(g subject, goroutines int, slice time.Duration) (baseline float64) {
	runtime.GC() // the garbage of the one before is not this one's bill
	baseline = newBaseline().measure(goroutines, slice/baselineShare).ns()
	r := g.measure(goroutines, slice)
	s.errors += r.errors
	if r.ids > 0 {
		s.ns = append(s.ns, r.ns())
	}
	return baseline
}

// relate sets the round's slice in proportion to the round's baseline. That is the
// median of all that were measured in the round: a machine changes its pace from
// round to round, and a single baseline that was disturbed would flatter.
func (s *samples) relate(baseline float64) {
	if len(s.ratio) < len(s.ns) {
		s.ratio = append(s.ratio, s.ns[len(s.ns)-1]/baseline)
	}
}

// finish makes the entrant's row: medians, allocations and faults.
func (e *entrant) finish(o options, progress io.Writer) {
	e.row = row{
		Name:    e.name,
		Variant: e.variant,
		Module:  e.module,
		Version: version(e.module),
		Bytes:   e.bytes(),
		Ours:    e.ours,
		Limit:   e.limit,
		Note:    e.note,
		Faults:  e.faults,
		One:     e.one.timing(),
		All:     e.all.timing(),
		Errors:  e.one.errors + e.all.errors,
	}
	if allocs, known := e.allocs(); known {
		e.row.Allocs = &allocs
	}
	if o.check == 0 {
		return
	}
	atMost := time.Duration(0)
	if e.limit != "" {
		atMost = limitedCheck
	}
	f := e.check(o.check, o.goroutines, atMost)
	fmt.Fprintf(progress, "checked %s: %s ids, %d duplicates\n", e.row.title(), short(f.IDs), f.Duplicates)
	e.row.Check = &f
}

func (s samples) timing() timing {
	if len(s.ns) == 0 {
		return timing{} // it gave no id at all: the errors tell
	}
	return timing{
		NS:    median(s.ns),
		Ratio: median(s.ratio),
		Low:   slices.Min(s.ratio),
		High:  slices.Max(s.ratio),
	}
}

// median is NaN for none.
func median(of []float64) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
