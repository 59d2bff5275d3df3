package idset

import "github.com/ringuid/ringuid/uid"

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
