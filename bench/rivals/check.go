package main

import (
	"slices"
	"sync"
	"time"
)

// A finding is what a check for faults came to.
type finding struct {
	IDs        int64 `json:"ids"`
	Duplicates int64 `json:"duplicates"`
	Negative   int64 `json:"negative"`
	Errors     int64 `json:"errors"`
}

func (f finding) faults() int64 { return f.Duplicates + f.Negative + f.Errors }

// mostErrors of a goroutine end its part of a check.
const mostErrors = 1000

// check takes ids from so many goroutines, in at most that time (0: however long
// it takes), and counts the faults among them. All ids are kept as they are and
// sorted: the count is exact, and takes no more memory than the ids.
func (g *generator[T]) check(ids, goroutines int, atMost time.Duration) (f finding) {
	var (
		parts = make([][]T, goroutines)
		bad   = make([]int64, goroutines)
		done  sync.WaitGroup
		start = time.Now()
	)
	for i := range parts {
		parts[i] = make([]T, (ids+i)/goroutines)
		clear(parts[i]) // makes the pages exist before the race for ids begins
	}
	for i := range parts {
		done.Go(func() {
			take, part, got := g.newTaker(), parts[i], 0
			for got < len(part) && bad[i] < mostErrors && (atMost == 0 || time.Since(start) < atMost) {
				n, err := take(part[got:min(got+g.chunk, len(part))])
				got += n
				if err != nil {
					bad[i]++
				}
			}
			parts[i] = part[:got]
			slices.SortFunc(parts[i], g.order)
		})
	}
	done.Wait()
	for i, part := range parts {
		f.IDs += int64(len(part))
		f.Errors += bad[i]
		f.Negative += g.countNegative(part)
	}
	f.Duplicates = duplicates(parts, g.order)
	return f
}

func (g *generator[T]) countNegative(ids []T) (n int64) {
	if g.negative == nil {
		return 0
	}
	for _, id := range ids {
		if g.negative(id) {
			n++
		}
	}
	return n
}

// duplicates merges sorted parts and counts the ids that are equal to the one
// before them.
func duplicates[T any](parts [][]T, order func(a, b T) int) (n int64) {
	rest := slices.DeleteFunc(slices.Clone(parts), func(p []T) bool { return len(p) == 0 })
	var last *T
	for len(rest) > 0 {
		least := 0
		for i := range rest {
			if order(rest[i][0], rest[least][0]) < 0 {
				least = i
			}
		}
		id := &rest[least][0]
		if last != nil && order(*last, *id) == 0 {
			n++
		}
		last = id
		if rest[least] = rest[least][1:]; len(rest[least]) == 0 {
			rest = slices.Delete(rest, least, least+1)
		}
	}
	return n
}
