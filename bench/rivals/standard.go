package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
)

// ofGo are the ids that Go itself makes.
func ofGo() []candidate {
	return append(standardUUIDs(), candidate{
		name:   "crypto/rand.Text",
		module: standard,
		note:   "26 characters, random alone: no time, no order",
		open: func() (subject, error) {
			return &generator[randomText]{
				order: func(a, b randomText) int { return bytes.Compare(a[:], b[:]) },
				chunk: manyIDs,
				newTaker: shared(func(dst []randomText) (int, error) {
					for i := range dst {
						if s := rand.Text(); copy(dst[i][:], s) != len(s) {
							return i, fmt.Errorf("crypto/rand.Text has become longer than %d characters: %q", len(randomText{}), s)
						}
					}
					return len(dst), nil
				}),
			}, nil
		},
	})
}

// randomText is what crypto/rand.Text returns, without a pointer: millions of them are
// kept.
type randomText [26]byte
