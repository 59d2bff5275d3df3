package bench

import "github.com/ringuid/ringuid/uid"

// dense puts the bits of an id in another order, such that the ids that a generator
// makes one after the other are one after the other: what stays the same, the tail
// and the worker id, comes first. Each number has one number that it goes to.
//
//	id      sign ... | time | worker | turn, sequence | tail
//	number  sign ... | tail | worker | time | turn, sequence
type dense struct {
	tail, low, worker, time uint // widths, low that of turn and sequence
}

func newDense(l uid.Layout) dense {
	return dense{uint(l.TailBits), uint(l.TurnBits + l.SeqBits), uint(l.WorkerBits), uint(l.TimeBits)}
}

// cut takes the lowest bits off u.
func cut(u uint64, width uint) (bits, rest uint64) {
	return u & (1<<width - 1), u >> width
}

func (d dense) number(id uint64) uint64 {
	tail, id := cut(id, d.tail)
	low, id := cut(id, d.low)
	worker, id := cut(id, d.worker)
	time, top := cut(id, d.time)
	return (((top<<d.tail|tail)<<d.worker|worker)<<d.time|time)<<d.low | low
}

func (d dense) id(number uint64) uint64 {
	low, number := cut(number, d.low)
	time, number := cut(number, d.time)
	worker, number := cut(number, d.worker)
	tail, top := cut(number, d.tail)
	return (((top<<d.time|time)<<d.worker|worker)<<d.low|low)<<d.tail | tail
}
