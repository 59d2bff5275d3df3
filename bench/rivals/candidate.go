package main

import (
	"bytes"
	"cmp"
)

// A candidate is a generator that can be measured.
type candidate struct {
	name    string
	variant string // which of its functions or settings, if that must be said
	module  string // "" for this project, standard for a package of Go itself
	note    string // what a reader must know to compare it
	faults  string // what is known to be wrong with it, whatever a run finds
	limit   string // "" or how many ids it makes before it waits for the clock
	ours    bool
	open    func() (subject, error)
}

// numbers is a generator of ids that are integers, which must not be negative
// when they are read as signed ones.
func numbers[T ~int64 | ~uint64](newTaker func() taker[T]) *generator[T] {
	return &generator[T]{
		newTaker: newTaker,
		order:    cmp.Compare[T],
		negative: func(id T) bool { return int64(id) < 0 },
		chunk:    manyIDs,
	}
}

// strings16 is a generator of ids that are arrays of 16 bytes.
func strings16[T ~[16]byte](newTaker func() taker[T]) *generator[T] {
	return &generator[T]{
		newTaker: newTaker,
		order:    func(a, b T) int { return bytes.Compare(a[:], b[:]) },
		chunk:    manyIDs,
	}
}

// limited has a generator asked for few ids at once, as it waits for its clock.
func limited[T any](g *generator[T]) *generator[T] {
	g.chunk = fewIDs
	return g
}

// shared is for takers that do not differ: the function serves all of them.
func shared[T any](take taker[T]) func() taker[T] { return func() taker[T] { return take } }
