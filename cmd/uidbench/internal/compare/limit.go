package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ringuid/ringuid/cmd/uidbench/internal/limit"
)

var (
	// ErrUnit is wrapped by Limit.Check when there is nothing to hold against the
	// limit: no row has the unit, or nobody knows which of its values are better.
	ErrUnit = errors.New("compare: unit cannot be limited")

	// ErrTooFew is wrapped by Limit.Check when there are too few samples to tell.
	ErrTooFew = errors.New("compare: too few samples")
)

// Limit is by how much the new results may be worse than the old ones.
type Limit struct {
	Percent float64  // of the old median; a change of just so much is still allowed
	Units   []string // which count
}

// Check returns an error that wraps limit.ErrMissed for each row that is worse by more
// than the limit, and one that wraps ErrTooFew or ErrUnit for each row that cannot be
// judged. A change that may be chance is no error. The errors are joined.
func (l Limit) Check(r Report) error {
	var errs []error
	for _, unit := range l.Units {
		errs = append(errs, l.checkUnit(r, unit))
	}
	return errors.Join(errs...)
}

func (l Limit) checkUnit(r Report, unit string) error {
	var errs []error
	found := false
	for _, row := range r.Rows {
		if row.Unit != unit {
			continue
		}
		found = true
		errs = append(errs, l.checkRow(r, row))
	}
	if !found {
		return fmt.Errorf("%w: no benchmark in common has %s; there are %s", ErrUnit, unit, strings.Join(r.units(), ", "))
	}
	return errors.Join(errs...)
}

func (l Limit) checkRow(r Report, row Row) error {
	switch {
	case row.Better == "":
		return fmt.Errorf("%w: is it better when %s of %s is lower, or higher? a line %q in one of the files says so",
			ErrUnit, row.Unit, row.Benchmark, "Unit "+row.Unit+" better=lower")
	case row.Verdict == TooFew:
		return fmt.Errorf("%w: %s of %s has %s, a difference needs %s in each: put more runs in each file",
			ErrTooFew, row.Unit, row.Benchmark, row.counts(), atLeast(r.ForDifference))
	case row.Verdict == Worse && float64(row.excess()) > l.Percent:
		return fmt.Errorf("%w: %s of %s is worse by %s, more than %v%%: %s in %s, %s in %s (%s)",
			limit.ErrMissed, row.Unit, row.Benchmark, strings.TrimLeft(row.changeText(), "+-"), l.Percent,
			formatValue(float64(row.Old.Median), row.Unit), r.Old.Name, formatValue(float64(row.New.Median), row.Unit), r.New.Name, row.pText())
	}
	return nil
}

// excess is the size of the change, in percent.
func (r Row) excess() number { return max(r.Change, -r.Change) }

// units are those of the rows, each once.
func (r Report) units() (all []string) {
	for _, row := range r.Rows {
		if !slices.Contains(all, row.Unit) {
			all = append(all, row.Unit)
		}
	}
	return all
}
