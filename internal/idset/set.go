// Package idset has a set of ids that reports for each id whether it was added before. Ids that
// a generator makes one after the other take little more than a bit each. An id takes at most
// some 110 bytes, when it has a page of its own.
package idset

import (
	"cmp"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/uid"
)

// A page holds a bit for each of 512 consecutive numbers of ids: one cache line, which
// neighbours fill, while an id without any wastes little.
const (
	pageBits  = 9
	PageIDs   = 1 << pageBits
	pageBytes = PageIDs / 8
	slabPages = 1 << 12
	indexCost = 40                    // bytes of an entry of the index, with its share of empty ones
	PageCost  = pageBytes + indexCost // bytes of a page in all
)

type page [PageIDs / 64]uint64

// Set is a set of ids. The index and the pages hold no pointers, so that the garbage collector,
// which would run into the next measured round, has nothing to follow.
type Set struct {
	bitOrder
	index map[uint64]int // by the bits of a number above those of a page
	slabs [][]page
	pages int

	lastKey uint64
	last    *page // the page of lastKey; nil: none yet
}

// New returns a set for ids of a layout. It keeps others as well, but in more memory.
func New(l uid.Layout) *Set {
	return &Set{bitOrder: newBitOrder(l), index: make(map[uint64]int)}
}

// Add adds an id, and reports whether it was added before.
func (s *Set) Add(id uid.ID) (again bool) {
	u := s.number(uint64(id))
	if key := u >> pageBits; s.last == nil || s.lastKey != key {
		s.lastKey, s.last = key, s.page(key)
	}
	word, bit := &s.last[u%PageIDs/64], uint64(1)<<(u%64)
	again = *word&bit != 0
	*word |= bit
	return again
}

// page returns the page with this key, a new one if need be.
func (s *Set) page(key uint64) *page {
	i, ok := s.index[key]
	if !ok {
		i = s.pages
		s.pages++
		s.index[key] = i
		if i/slabPages == len(s.slabs) {
			s.slabs = append(s.slabs, make([]page, slabPages))
		}
	}
	return &s.slabs[i/slabPages][i%slabPages]
}

// Memory returns how many bytes sets may take unless told otherwise: half of what is free.
func Memory() int64 {
	const unknown, most32bit = 1 << 30, 1 << 30
	half := cmp.Or(machine.AvailableMemory()/2, unknown)
	if ^uint(0)>>32 == 0 {
		half = min(half, most32bit)
	}
	return half
}

// Bytes returns about how much memory the set takes.
func (s *Set) Bytes() int64 {
	return int64(len(s.slabs))*slabPages*pageBytes + int64(s.pages)*indexCost
}

// bitOrder puts the bits of an id in another order, so that ids that a generator makes
// one after the other become consecutive numbers: what stays the same, the tail and the
// worker id, comes first. It is a one-to-one mapping.
//
//	id      sign ... | time | worker | turn, sequence | tail, in the layout's order
//	number  sign ... | tail | worker | time | turn, sequence
type bitOrder struct {
	moves [4]move
	top   uint64 // the bits above all fields, which stay
}

// move is where a field lies in an id, and where in a number.
type move struct {
	inID, inNumber uint
	mask           uint64
}

func newBitOrder(l uid.Layout) (o bitOrder) {
	const low, time, worker, tail = 0, 1, 2, 3 // as they lie in a number; low is turn and sequence
	widths := [...]int{l.TurnBits + l.SeqBits, l.TimeBits, l.WorkerBits, l.TailBits}
	upwards := [...]int{tail, low, worker, time}
	switch l.Order {
	case uid.TimeSequenceWorker:
		upwards = [...]int{tail, worker, low, time}
	case uid.WorkerTimeSequence:
		upwards = [...]int{tail, low, time, worker}
	}
	inID, inNumber := uint(0), uint(0)
	for i, width := range widths {
		o.moves[i].mask = 1<<width - 1
		o.moves[i].inNumber = inNumber
		inNumber += uint(width)
	}
	for _, i := range upwards {
		o.moves[i].inID = inID
		inID += uint(widths[i])
	}
	o.top = ^uint64(0) << inID
	return o
}

func (o *bitOrder) number(id uint64) uint64 {
	n := id & o.top
	for _, m := range &o.moves {
		n |= id >> m.inID & m.mask << m.inNumber
	}
	return n
}
