package ringbuffer

import (
	"go/token"
)

const (
	registers  = 60
	maxSlots   = 2
	maxThreads = 4
	maxNumbers = 31 // of all that a scenario puts, counted from 1
	counted    = 31 // the bits of them; those above are a frame
)

// world is a state of the ring and of all who use it, with what the oracle knows.
type world struct {
	cursor, tail, low, spoilt, stale uint64
	slots                            [maxSlots]struct{ end, next uint64 }
	threads                          [maxThreads]thread

	// Ghosts, as sets of numbers.
	live  [maxSlots]uint32 // not given out by the slot's present counter
	put   uint32
	taken uint32
	gone  uint32 // flushed or skipped
	gaps  uint32 // given to a take that could not use it
	woken bool   // a wake-up for the producer is pending
}

type thread struct {
	op, pc int
	state  threadState
	empty  bool   // the ring was, at some moment of this operation
	given  uint32 // by the adds of this operation
	shut   uint32 // by the swaps of this operation
	last   uint64 // number that it took
	got    int    // numbers that it took
	regs   [registers]uint64
}

type threadState uint8

const (
	running threadState = iota
	forRoom             // of the ring, to put
	forPut              // of something
	asleep              // until woken
	finished
)

func (w *world) word(i *instr, t *thread) *uint64 {
	switch i.word {
	case "cursor":
		return &w.cursor
	case "tail":
		return &w.tail
	case "low":
		return &w.low
	case "spoilt":
		return &w.spoilt
	case "stale":
		return &w.stale
	}
	s := &w.slots[t.regs[i.slot]]
	if i.word == "end" {
		return &s.end
	}
	return &s.next
}

// unseen reports whether nobody can tell when an atomic step of a thread is done:
// others do not touch the word, or it is read and nobody else writes it.
func (i *instr) unseen(producer bool) bool {
	switch i.word {
	case "spoilt", "stale":
		return true // no take reads them
	case "tail", "end":
		return producer && i.op == load
	}
	return false
}

// atomic does the atomic step that a thread is at, and tells the oracle.
func (w *world) atomic(t *thread, i *instr, op *operation) {
	word := w.word(i, t)
	was := *word
	a, b := t.regs[i.a], t.regs[i.b]
	switch i.op {
	case load:
		t.regs[i.dst] = was
	case store:
		*word = a
	case add:
		*word += a
		t.regs[i.dst] = *word
	case swap:
		*word = a
		t.regs[i.dst] = was
	case cas:
		t.regs[i.dst] = 0
		if was == a {
			*word = b
			t.regs[i.dst] = 1
		}
	}
	if i.word == "next" {
		w.counted(t, t.regs[i.slot], i.op, was, *word, op)
	}
}

// local runs a thread's own steps, and those that no other can see, up to its next
// step; done when its function has returned.
func (w *world) local(t *thread, code []instr, op *operation, producer bool) (done bool) {
	for {
		i := &code[t.pc]
		r := &t.regs
		switch i.op {
		case constant:
			r[i.dst] = i.value
		case move:
			r[i.dst] = r[i.a]
		case binary:
			r[i.dst] = calculate(i.tok, r[i.a], r[i.b])
		case not:
			r[i.dst] = 1 - r[i.a]
		case jump:
			t.pc = int(i.value)
			continue
		case jumpIf:
			if r[i.a] != 0 {
				t.pc = int(i.value)
				continue
			}
		case leave:
			return true
		default:
			if !i.unseen(producer) {
				return false
			}
			w.atomic(t, i, op)
		}
		t.pc++
	}
}

func calculate(tok token.Token, a, b uint64) uint64 {
	flag := func(yes bool) uint64 {
		if yes {
			return 1
		}
		return 0
	}
	switch tok {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	case token.AND:
		return a & b
	case token.AND_NOT:
		return a &^ b
	case token.XOR:
		return a ^ b
	case token.OR:
		return a | b
	case token.SHL:
		return a << b
	case token.SHR:
		return a >> b
	case token.EQL:
		return flag(a == b)
	case token.NEQ:
		return flag(a != b)
	case token.LSS:
		return flag(a < b)
	case token.LEQ:
		return flag(a <= b)
	case token.GTR:
		return flag(a > b)
	case token.GEQ:
		return flag(a >= b)
	}
	panic("the model does not know the operator " + tok.String())
}

func boolWord(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}
