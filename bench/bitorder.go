package bench

import "github.com/ringuid/ringuid/uid"

// bitOrder puts the bits of an id in another order, so that ids that a generator makes
// one after the other become consecutive numbers: what stays the same, the tail and the
// worker id, comes first. It is a one-to-one mapping.
//
//	id      sign ... | time | worker | turn, sequence | tail
//	number  sign ... | tail | worker | time | turn, sequence
type bitOrder struct {
	tail, low, worker, time uint // widths, low that of turn and sequence
}

func newBitOrder(l uid.Layout) bitOrder {
	return bitOrder{uint(l.TailBits), uint(l.TurnBits + l.SeqBits), uint(l.WorkerBits), uint(l.TimeBits)}
}

// cut takes the lowest bits off u.
func cut(u uint64, width uint) (bits, rest uint64) {
	return u & (1<<width - 1), u >> width
}

func (o bitOrder) number(id uint64) uint64 {
	tail, id := cut(id, o.tail)
	low, id := cut(id, o.low)
	worker, id := cut(id, o.worker)
	time, top := cut(id, o.time)
	return (((top<<o.tail|tail)<<o.worker|worker)<<o.time|time)<<o.low | low
}

func (o bitOrder) id(number uint64) uint64 {
	low, number := cut(number, o.low)
	time, number := cut(number, o.time)
	worker, number := cut(number, o.worker)
	tail, top := cut(number, o.tail)
	return (((top<<o.time|time)<<o.worker|worker)<<o.low|low)<<o.tail | tail
}
