package main

import (
	"sync/atomic"

	"github.com/ringuid/ringuid/internal/cacheline"
)

// calls is the second yardstick, as a row: the least that ids in one order can cost
// who takes them by a call.
func calls() candidate {
	return candidate{
		name: "(a call that adds)",
		note: "no generator: the least that ids in one order can cost, one atomic add and an id and an error returned",
		open: func() (subject, error) {
			c := new(counter)
			return numbers(shared(func(dst []int64) (int, error) {
				for i := range dst {
					id, err := c.next()
					if err != nil {
						return i, err
					}
					dst[i] = id
				}
				return len(dst), nil
			})), nil
		},
	}
}

// counter is alone on its cache lines: only the goroutines' own adds are to be
// measured.
type counter struct {
	_     cacheline.Pad
	count atomic.Int64
	_     cacheline.Pad
}

//go:noinline
func (c *counter) next() (int64, error) { return c.count.Add(1), nil }
