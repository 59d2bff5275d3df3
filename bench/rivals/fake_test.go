package main

import (
	"cmp"
	"errors"
	"sync/atomic"
)

var errFake = errors.New("fake")

// counting is a generator of 1, 2, 3 ..., which says how many it gave.
func counting(chunk int) (*generator[int64], *atomic.Int64) {
	next := new(atomic.Int64)
	g := numbers(shared(func(dst []int64) (int, error) {
		for i := range dst {
			dst[i] = next.Add(1)
		}
		return len(dst), nil
	}))
	g.chunk = chunk
	return g, next
}

// listed is a generator whose first taker gives one list of ids, its second taker
// another, and errors when a list is over.
func listed(lists ...[]int64) *generator[int64] {
	var takers atomic.Int64
	return &generator[int64]{
		chunk:    2,
		order:    cmp.Compare[int64],
		negative: func(id int64) bool { return id < 0 },
		newTaker: func() taker[int64] {
			rest := lists[takers.Add(1)-1]
			return func(dst []int64) (n int, err error) {
				n = copy(dst, rest)
				rest = rest[n:]
				if n < len(dst) {
					err = errFake
				}
				return n, err
			}
		},
	}
}
