package store

import (
	"cmp"
	"slices"
)

// Range is the worker ids First to Last of a namespace.
type Range struct {
	Namespace string `json:"namespace"`
	First     int64  `json:"first"`
	Last      int64  `json:"last"`

	// Making: the namespace is being created, or its Init was interrupted. Until an
	// Init has finished, nobody can tell it from a namespace that was deleted.
	Making bool `json:"making,omitempty"`
}

func (r Range) overlaps(first, last int64) bool { return r.First <= last && first <= r.Last }

// free is the highest range of count worker ids between lowest and highest that was
// given to nobody; a shorter one when there is none of that length. highest 0: no limit.
func (s Space) free(count, lowest, highest int64) (first, last int64, ok bool) {
	if highest == 0 {
		for _, r := range s.Given {
			lowest = max(lowest, r.Last+1)
		}
		return lowest, lowest + count - 1, true
	}
	free := []Range{{First: lowest, Last: highest}}
	for _, r := range s.Given {
		free = without(free, r.First, r.Last, func(Range) bool { return true })
	}
	var best Range
	for _, r := range free { // from below, so that of two the upper one is left
		if size := r.Last - r.First + 1; size > 0 && size >= min(count, best.Last-best.First+1) {
			best, ok = r, true
		}
	}
	return max(best.First, best.Last-count+1), best.Last, ok
}

// without takes the worker ids from first to last out of the ranges that it is
// about.
func without(all []Range, first, last int64, about func(Range) bool) (rest []Range) {
	for _, r := range all {
		if !r.overlaps(first, last) || !about(r) {
			rest = append(rest, r)
			continue
		}
		below, above := r, r
		below.Last, above.First = first-1, last+1
		for _, part := range []Range{below, above} {
			if part.First <= part.Last {
				rest = append(rest, part)
			}
		}
	}
	return rest
}

// give adds a range to those of its namespace, in the place of what it covers, and
// joins it with those that touch it and are like it.
func give(all []Range, r Range) []Range {
	all = without(all, r.First, r.Last, func(own Range) bool { return own.Namespace == r.Namespace })
	all = slices.DeleteFunc(all, func(own Range) bool {
		touches := own.Namespace == r.Namespace && own.Making == r.Making &&
			own.overlaps(r.First-1, r.Last+1)
		if touches {
			r.First, r.Last = min(r.First, own.First), max(r.Last, own.Last)
		}
		return touches
	})
	all = append(all, r)
	slices.SortFunc(all, func(a, b Range) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last),
			cmp.Compare(a.Namespace, b.Namespace))
	})
	return all
}
