package main

import (
	"cmp"
	"slices"
)

// A tree is the leaf pages of a simulated B+tree. Where pages are split decides how full they
// become.
type tree struct {
	leaves []*leaf // in the order of their keys
	room   int     // how many keys a leaf holds
	innoDB bool
}

type leaf struct {
	keys []uint64
	last int // where the last key was inserted; -1: not known
}

// newTree is an index of PostgreSQL, or a primary key of InnoDB, with keys of this size.
func newTree(innoDB bool, key int) *tree {
	if innoDB {
		const page, head = 16384, 128
		return &tree{room: int((page - head) / (float64(key) + innoDBRow.primary)), innoDB: true}
	}
	const page, head, highKey = 8192, 24 + 16, 20
	return &tree{room: (page - head - highKey) / (key + int(postgresRow.primary))}
}

// insert inserts a key that the tree does not have.
func (t *tree) insert(key uint64) {
	if len(t.leaves) == 0 {
		t.leaves = []*leaf{{keys: []uint64{key}}}
		return
	}
	i, found := slices.BinarySearchFunc(t.leaves, key, func(l *leaf, key uint64) int {
		return cmp.Compare(l.keys[0], key)
	})
	if !found && i > 0 {
		i--
	}
	l := t.leaves[i]
	at, _ := slices.BinarySearch(l.keys, key)
	if t.full(l, at) {
		l, at = t.split(i, at)
	}
	l.keys, l.last = slices.Insert(l.keys, at, key), at
}

// full says whether a page must be split for a key at this place. InnoDB leaves a sixteenth of
// a page free where keys follow each other.
func (t *tree) full(l *leaf, at int) bool {
	if t.innoDB && l.follows(at) && len(l.keys) >= t.room*15/16 {
		return true
	}
	return len(l.keys) >= t.room
}

// follows says whether a key at this place would follow the one that was inserted last.
func (l *leaf) follows(at int) bool { return at > 0 && l.last == at-1 }

// split makes room for a key, and returns where it belongs now.
func (t *tree) split(i, at int) (*leaf, int) {
	l := t.leaves[i]
	if t.innoDB && at == len(l.keys) && i+1 < len(t.leaves) && len(t.leaves[i+1].keys) < t.room {
		return t.leaves[i+1], 0 // it needs no page of its own
	}
	from := t.from(i, at)
	right := &leaf{keys: slices.Clone(l.keys[from:]), last: -1}
	l.keys, l.last = l.keys[:from], -1
	t.leaves = slices.Insert(t.leaves, i+1, right)
	if at >= from {
		return right, at - from
	}
	return l, at
}

// from is the first key that moves to the new page.
//
// PostgreSQL (nbtsplitloc.c) leaves nine tenths in the rightmost page, its fillfactor, and half
// in any other. InnoDB (btr0btr.cc) leaves half, unless the new key follows the one that was
// inserted last: then only what lies behind the new key moves, but for the first of two or more.
func (t *tree) from(i, at int) int {
	l := t.leaves[i]
	switch {
	case t.innoDB && l.follows(at) && len(l.keys)-at >= 2:
		return at + 1
	case t.innoDB && l.follows(at):
		return at
	case !t.innoDB && i == len(t.leaves)-1:
		return t.room * 9 / 10
	}
	return (len(l.keys) + 1) / 2
}
