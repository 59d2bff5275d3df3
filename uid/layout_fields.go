package uid

import "time"

// Parts is an id taken apart by its layout. Compose reads Tick and the fields
// after it, and Parse fills in all of them.
type Parts struct {
	Time   time.Time // first instant of the tick, in UTC
	Tick   int64     // ticks between the layout's epoch and the id, from 0
	Worker int64     // the whole worker field, from 0
	Turn   int64     // 0, or 1 after the clock was set back (in layouts with a turn bit)
	Seq    int64     // the id's number within its tick and worker, from 0
}

// field is where a part of an id lies: how many bits it has, and how many are below it.
type field struct{ shift, bits int }

func (f field) of(id ID) int64 { return int64(id) >> f.shift & mask(f.bits) }
func (f field) mask() int64    { return mask(f.bits) << f.shift }

// fields are where the parts of a layout's ids lie. Everything that makes ids, takes them
// apart or compares them uses this, whatever the Order is. In every Order
//
//	turn and sequence lie side by side, below the time,
//	so the numbers of a worker id in a tick lie in a row, 1<<seq.shift apart;
//	the time, turn and sequence of a worker id's ids, in their places, only grow:
//	these bits are counted; the others, of the worker id and the tail, are the frame
type fields struct {
	time, worker, turn, seq, tail field

	bits    int   // of all fields
	counted int64 // the bits that are not the frame
	ending  int64 // what the tail holds
}

func (l Layout) fields() fields {
	f := fields{tail: field{0, l.TailBits}, bits: l.TailBits, ending: l.Tail}
	add := func(part *field, bits int) {
		*part = field{f.bits, bits}
		f.bits += bits
	}
	letters := l.Order.letters()
	for i := len(letters) - 1; i >= 0; i-- {
		switch letters[i] {
		case 't':
			add(&f.time, l.TimeBits)
		case 'w':
			add(&f.worker, l.WorkerBits)
		default:
			add(&f.seq, l.SeqBits)
			add(&f.turn, l.TurnBits)
		}
	}
	f.counted = f.time.mask() | f.turn.mask() | f.seq.mask()
	return f
}

// byTime reports whether ids sort by time, that is, whether nothing lies above it.
func (f *fields) byTime() bool { return f.time.shift+f.time.bits == f.bits }

// compose makes the id of parts that are known to fit.
func (f *fields) compose(p Parts) ID {
	return ID(p.Tick<<f.time.shift | p.Worker<<f.worker.shift |
		p.Turn<<f.turn.shift | p.Seq<<f.seq.shift | f.ending)
}

// step is the distance between two consecutive ids of a tick.
func (f *fields) step() int64 { return 1 << f.seq.shift }
