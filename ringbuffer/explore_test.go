package ringbuffer

import (
	"fmt"
	"go/token"
	"math/bits"
	"slices"
)

const (
	registers  = 60
	maxSlots   = 2
	maxThreads = 4
	maxNumbers = 31 // of all that a scenario puts, counted from 1
)

// world is a state of the ring and of all who use it, with what the oracle knows.
type world struct {
	cursor, tail, seen, low, spoilt uint64
	slots                           [maxSlots]struct{ end, next uint64 }
	threads                         [maxThreads]thread

	// Ghosts, as sets of numbers.
	live  [maxSlots]uint32 // not given out by the slot's present counter
	put   uint32
	taken uint32
	gone  uint32 // flushed or dropped
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
	case "seen":
		return &w.seen
	case "low":
		return &w.low
	case "spoilt":
		return &w.spoilt
	}
	s := &w.slots[t.regs[i.slot]]
	if i.word == "end" {
		return &s.end
	}
	return &s.next
}

// unseen reports whether nobody can tell when an atomic step of a thread is done:
// others do not touch the word, or it is read and nobody else writes it.
func (i *instr) unseen(alone bool) bool {
	switch i.word {
	case "spoilt":
		return true // nobody reads it
	case "tail", "seen":
		return alone
	case "end":
		return alone && i.op == load
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
		w.counted(t, t.regs[i.slot], i.op, was, a, op)
	}
}

// local runs a thread's own steps, and those that no other can see, up to its next
// step; done when its function has returned.
func (w *world) local(t *thread, code []instr, op *operation, alone bool) (done bool) {
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
			if !i.unseen(alone) {
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

// explorer goes through all interleavings of a scenario.
type explorer struct {
	scenario
	code  map[string][]instr // of each function
	alike []int              // for each thread the first that has its program
	seen  map[hash]struct{}
}

// explore visits every state once and returns the first fault, with the steps to it.
func (e *explorer) explore() error {
	first := uint64(e.slots)
	w := world{cursor: first<<1 | 1, tail: first, low: disarmed}
	for i := range w.threads {
		w.threads[i].state = finished
	}
	for i, p := range e.programs {
		e.alike = append(e.alike, slices.IndexFunc(e.programs, func(o []operation) bool { return fmt.Sprint(o) == fmt.Sprint(p) }))
		e.begin(&w, i)
	}
	e.seen = map[hash]struct{}{}
	return e.visit(&w)
}

func (e *explorer) visit(w *world) error {
	h := e.hash(w)
	if _, ok := e.seen[h]; ok {
		return nil
	}
	e.seen[h] = struct{}{}
	moved := false
	for i := range e.programs {
		if !e.enabled(w, i) {
			continue
		}
		moved = true
		next := *w
		err := e.step(&next, i)
		if err == nil {
			err = e.visit(&next)
		}
		if err != nil {
			return fmt.Errorf("%s\n%w", e.describe(w, &next, i), err)
		}
	}
	if !moved {
		return e.end(w)
	}
	return nil
}

func (e *explorer) enabled(w *world, i int) bool {
	switch w.threads[i].state {
	case running:
		return true
	case forRoom:
		return w.tail-w.cursor>>1 < uint64(e.slots)
	case forPut:
		return !w.empty(e.slots)
	case asleep:
		return w.woken
	}
	return false
}

// empty reports whether the slot at the cursor is not there.
func (w *world) empty(slots int) bool {
	return (w.slots[w.cursor>>1%uint64(slots)].end^w.cursor)&1 != 0
}

// describe says what step i does.
func (e *explorer) describe(w, next *world, i int) string {
	t, after := &w.threads[i], &next.threads[i]
	if t.state != running {
		return fmt.Sprintf("%d: goes on", i)
	}
	op := &e.programs[i][t.op]
	in := &e.code[op.call][t.pc]
	names := [...]string{"Load", "Store", "Add", "Swap", "CompareAndSwap"}
	word := in.word
	if in.slot >= 0 {
		word = fmt.Sprintf("slots[%d].%s", t.regs[in.slot], word)
	}
	done := ""
	if after.op != t.op || after.state != running {
		done = ", done"
	}
	return fmt.Sprintf("%d: %s %s.%s(%d, %d), was %d%s", i, op.call, word, names[in.op], t.regs[in.a], t.regs[in.b], *w.word(in, t), done)
}

type hash [2]uint64

func (h *hash) mix(v uint64) {
	hi, lo := bits.Mul64(h[0]^v, 0x9e3779b97f4a7c15)
	h[0] = hi ^ lo ^ h[1]
	hi, lo = bits.Mul64(h[1]+v, 0xd6e8feb86659fd93)
	h[1] = hi + lo ^ bits.RotateLeft64(v, 31) + 0x2545f4914f6cdd1d
}

// hash tells two states apart, with 128 bits so that none is taken for another.
// Threads that have the same program may change places.
func (e *explorer) hash(w *world) (h hash) {
	for _, v := range [...]uint64{w.cursor, w.tail, w.seen, w.low, w.spoilt} {
		h.mix(v)
	}
	for i := range w.slots {
		s := &w.slots[i]
		h.mix(s.end)
		h.mix(s.next)
		h.mix(uint64(w.live[i]))
	}
	h.mix(uint64(w.put)<<32 | uint64(w.taken))
	h.mix(uint64(w.gone)<<32 | uint64(w.gaps))
	h.mix(boolWord(w.woken))
	var sum hash
	for i := range e.programs {
		t, needed := &w.threads[i], uint64(0)
		if t.state == running {
			needed = e.code[e.programs[i][t.op].call][t.pc].needed
		}
		one := t.hash(e.alike[i], needed)
		sum[0] += one[0]
		sum[1] += one[1]
	}
	h.mix(sum[0])
	h.mix(sum[1])
	return h
}

// hash leaves out registers that are not needed any more.
func (t *thread) hash(program int, needed uint64) (h hash) {
	h.mix(uint64(program)<<56 | uint64(t.op)<<48 | uint64(t.pc)<<32 | t.last<<16 | uint64(t.got)<<8 | uint64(t.state)<<1 | boolWord(t.empty))
	h.mix(uint64(t.given)<<32 | uint64(t.shut))
	for ; needed != 0; needed &= needed - 1 {
		h.mix(t.regs[bits.TrailingZeros64(needed)])
	}
	return h
}

func boolWord(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}
