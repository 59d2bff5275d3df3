package migrate

import (
	"math"
	"math/bits"

	"github.com/ringuid/ringuid/uid"
)

// idBits is what an int64 has without its sign.
const idBits = 63

// mask is the greatest number of so many bits.
func mask(bits int) int64 { return math.MaxInt64 >> (idBits - bits) }

// field is where a part of an id lies: its bits, above so many others.
type field struct{ shift, bits int }

// fields are where the parts of a layout's ids lie.
type fields struct {
	time, worker, turn, seq, tail field
	bits                          int // of all
}

func fieldsOf(l uid.Layout) fields {
	zero := compose(l, uid.Parts{})
	part := func(width int, one uid.Parts) field {
		if width == 0 {
			return field{}
		}
		return field{bits.TrailingZeros64(uint64(compose(l, one) ^ zero)), width}
	}
	return fields{
		time:   part(l.TimeBits, uid.Parts{Tick: 1}),
		worker: part(l.WorkerBits, uid.Parts{Worker: 1}),
		turn:   part(l.TurnBits, uid.Parts{Turn: 1}),
		seq:    part(l.SeqBits, uid.Parts{Seq: 1}),
		tail:   field{0, l.TailBits},
		bits:   l.TimeBits + l.WorkerBits + l.TurnBits + l.SeqBits + l.TailBits,
	}
}

// idSet is the ids of a layout whose fields are in ranges.
type idSet struct {
	layout                  uid.Layout
	firstTick, lastTick     int64
	firstWorker, lastWorker int64
}

// limited is a field, and the values it may have.
type limited struct {
	field
	min, max int64
}

// fields are those of the set, and the bits above them. Those without bits are left out,
// as there is nothing in them to compare.
func (s idSet) fields() []limited {
	f, tail := fieldsOf(s.layout), s.layout.Tail
	all := [...]limited{
		{field{f.bits, idBits - f.bits}, 0, 0},
		{f.time, s.firstTick, s.lastTick},
		{f.worker, s.firstWorker, s.lastWorker},
		{f.turn, 0, mask(f.turn.bits)},
		{f.seq, 0, mask(f.seq.bits)},
		{f.tail, tail, tail},
	}
	var used []limited
	for _, f := range all {
		if f.bits > 0 {
			used = append(used, f)
		}
	}
	return used
}

func (s idSet) empty() bool { return s.firstTick > s.lastTick || s.firstWorker > s.lastWorker }

// common finds the smallest or the greatest id of two sets, bit by bit from the
// highest: what a field's bits so far allow of the next one depends on whether
// they are still those of its min or max. That is all there is to know, so a dead
// end is remembered by its position and these four facts.
type common struct {
	sets [2][]limited
	want int64 // the bit that is tried first: 0 for the smallest, 1 for the greatest
	dead map[place]bool
}

// place is a position in the search: the bits left, and for each set whether its
// field's bits are still those of min and of max.
type place struct {
	left int
	edge [2]edge
}

type edge struct{ min, max bool }

// overlap returns the smallest and the greatest id that are in both sets; ok is
// false when there is none.
func overlap(a, b idSet) (smallest, greatest uid.ID, ok bool) {
	if a.empty() || b.empty() {
		return 0, 0, false
	}
	search := func(want int64) (uid.ID, bool) {
		c := common{sets: [2][]limited{a.fields(), b.fields()}, want: want, dead: map[place]bool{}}
		return c.find(place{left: idBits}, 0)
	}
	if smallest, ok = search(0); !ok {
		return 0, 0, false
	}
	greatest, _ = search(1)
	return smallest, greatest, true
}

// find completes id, whose bits above p.left are chosen.
func (c *common) find(p place, id uid.ID) (uid.ID, bool) {
	if p.left == 0 {
		return id, true
	}
	if c.dead[p] {
		return 0, false
	}
	for _, bit := range [...]int64{c.want, 1 - c.want} {
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
