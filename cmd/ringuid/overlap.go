package main

import (
	"math"
	"slices"

	"github.com/ringuid/ringuid/uid"
)

// mask returns the greatest number of this many bits.
func mask(bits int) int64 { return math.MaxInt64 >> (idBits - bits) }

// idSet is the set of the ids of a layout whose fields are in ranges.
type idSet struct {
	layout                  uid.Layout
	firstTick, lastTick     int64
	firstWorker, lastWorker int64
}

// A digit is a bit of a field: what the field's least and greatest value have there.
type digit struct {
	least, most int64
	top         bool // it is the field's highest
}

func field(bits int, least, most int64) (digits []digit) {
	for i := range bits {
		digits = append(digits, digit{least >> i & 1, most >> i & 1, i == bits-1})
	}
	return digits
}

// digits returns those of the set's ids, the lowest first.
func (s idSet) digits() []digit {
	l := s.layout
	tail := field(l.TailBits, l.Tail, l.Tail)
	low := field(l.TurnBits+l.SeqBits, 0, mask(l.TurnBits+l.SeqBits))
	time := field(l.TimeBits, s.firstTick, s.lastTick)
	worker := field(l.WorkerBits, s.firstWorker, s.lastWorker)
	all := slices.Concat(tail, low, worker, time)
	switch l.Order {
	case uid.TimeSequenceWorker:
		all = slices.Concat(tail, worker, low, time)
	case uid.WorkerTimeSequence:
		all = slices.Concat(tail, low, time, worker)
	}
	return append(all, field(idBits-len(all), 0, 0)...)
}

func (s idSet) empty() bool { return s.firstTick > s.lastTick || s.firstWorker > s.lastWorker }

// place is a position in the search: the bits left, and for each set whether its
// field's bits are still those of min and of max.
type place struct {
	left int
	edge [2]edge
}

type edge struct{ min, max bool }

// overlap returns the smallest id that is in both sets; ok is false when there is none. It
// searches bit by bit from the highest. What a field's bits so far allow of its next bit depends
// only on whether they are still those of its min or max, so dead ends are remembered by that.
func overlap(a, b idSet) (smallest uid.ID, ok bool) {
	if a.empty() || b.empty() {
		return 0, false
	}
	sets, dead := [2][]digit{a.digits(), b.digits()}, map[place]bool{}
	var find func(p place, id uid.ID) (uid.ID, bool)
	find = func(p place, id uid.ID) (uid.ID, bool) { // completes id
		if p.left == 0 {
			return id, true
		}
		if dead[p] {
			return 0, false
		}
		for bit := range int64(2) {
			if next, ok := step(sets, p, bit); ok {
				if id, ok := find(next, id|uid.ID(bit)<<next.left); ok {
					return id, true
				}
			}
		}
		dead[p] = true
		return 0, false
	}
	return find(place{left: idBits}, 0)
}

// step chooses the next bit, if both sets have ids with it.
func step(sets [2][]digit, p place, bit int64) (place, bool) {
	p.left--
	for i, digits := range sets {
		d, e := digits[p.left], &p.edge[i]
		if d.top {
			*e = edge{true, true}
		}
		if e.min && bit < d.least || e.max && bit > d.most {
			return p, false
		}
		e.min, e.max = e.min && bit == d.least, e.max && bit == d.most
	}
	return p, true
}
