package migrate

import (
	"math"

	"github.com/ringuid/ringuid/uid"
)

// idBits is the number of bits of an int64 without its sign.
const idBits = 63

// mask returns the greatest number of this many bits.
func mask(bits int) int64 { return math.MaxInt64 >> (idBits - bits) }

// idSet is the set of the ids of a layout whose fields are in ranges.
type idSet struct {
	layout                  uid.Layout
	firstTick, lastTick     int64
	firstWorker, lastWorker int64
}

// limited is a field of an id that has shift bits below it, and the values that it may have.
type limited struct {
	shift, bits int
	min, max    int64
}

// fields returns the fields of the set from the lowest on, and the bits above them. Fields
// without bits are left out, as there is nothing in them to compare.
func (s idSet) fields() (used []limited) {
	l := s.layout
	tail := limited{bits: l.TailBits, min: l.Tail, max: l.Tail}
	low := limited{bits: l.TurnBits + l.SeqBits, max: mask(l.TurnBits + l.SeqBits)}
	time := limited{bits: l.TimeBits, min: s.firstTick, max: s.lastTick}
	worker := limited{bits: l.WorkerBits, min: s.firstWorker, max: s.lastWorker}
	upwards := []limited{tail, low, worker, time}
	switch l.Order {
	case uid.TimeSequenceWorker:
		upwards = []limited{tail, worker, low, time}
	case uid.WorkerTimeSequence:
		upwards = []limited{tail, low, time, worker}
	}
	shift := 0
	for _, f := range upwards {
		if f.shift = shift; f.bits > 0 {
			used = append(used, f)
		}
		shift += f.bits
	}
	return append(used, limited{shift: shift, bits: idBits - shift})
}

func (s idSet) empty() bool { return s.firstTick > s.lastTick || s.firstWorker > s.lastWorker }

// common finds the smallest id of two sets, bit by bit from the highest. What a field's bits so
// far allow of its next bit depends only on whether they are still those of its min or max. So
// a dead end is remembered by its position and these four facts.
type common struct {
	sets [2][]limited
	dead map[place]bool
}

// place is a position in the search: the bits left, and for each set whether its
// field's bits are still those of min and of max.
type place struct {
	left int
	edge [2]edge
}

type edge struct{ min, max bool }

// overlap returns the smallest id that is in both sets; ok is false when there is none.
func overlap(a, b idSet) (smallest uid.ID, ok bool) {
	if a.empty() || b.empty() {
		return 0, false
	}
	c := common{sets: [2][]limited{a.fields(), b.fields()}, dead: map[place]bool{}}
	return c.find(place{left: idBits}, 0)
}

// find completes id, whose bits above the lowest p.left are chosen.
func (c *common) find(p place, id uid.ID) (uid.ID, bool) {
	if p.left == 0 {
		return id, true
	}
	if c.dead[p] {
		return 0, false
	}
	for _, bit := range [...]int64{0, 1} {
		next, ok := c.step(p, bit)
		if !ok {
			continue
		}
		if id, ok := c.find(next, id|uid.ID(bit)<<next.left); ok {
			return id, true
		}
	}
	c.dead[p] = true
	return 0, false
}

// step chooses the next bit, if both sets have ids with it.
func (c *common) step(p place, bit int64) (place, bool) {
	p.left--
	for i, fields := range c.sets {
		for _, f := range fields {
			if p.left < f.shift || p.left >= f.shift+f.bits {
				continue
			}
			e := &p.edge[i]
			if p.left == f.shift+f.bits-1 { // its highest bit
				*e = edge{true, true}
			}
			least, most := f.min>>(p.left-f.shift)&1, f.max>>(p.left-f.shift)&1
			if e.min && bit < least || e.max && bit > most {
				return p, false
			}
			e.min, e.max = e.min && bit == least, e.max && bit == most
		}
	}
	return p, true
}
