package ringbuffer

import (
	"fmt"
	"math/bits"
	"slices"
)

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
	w := world{cursor: first<<slotBits | 1, tail: first, low: disarmed}
	for i := range w.threads {
		w.threads[i].state = finished
	}
	for i, p := range e.programs {
		e.alike = append(e.alike, slices.IndexFunc(e.programs,
			func(o []operation) bool { return fmt.Sprint(o) == fmt.Sprint(p) }))
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
	if err := w.invariants(uint64(e.slots)); err != nil {
		return err
	}
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

// invariants are those of Ring.
func (w *world) invariants(size uint64) error {
	p := w.cursor >> slotBits
	if size > p || p > w.tail || w.tail > p+size {
		return fmt.Errorf("the cursor is at %d, the tail %d, the size %d", p, w.tail, size)
	}
	for q := max(w.tail, 2*size) - size; q < p; q++ { // left by the cursor, and not being put
		if s := w.slots[q%size]; s.end>>1&counted >= s.next {
			return fmt.Errorf("the cursor has left %d, which has numbers: %+v", q, s)
		}
	}
	return nil
}

func (e *explorer) enabled(w *world, i int) bool {
	switch w.threads[i].state {
	case running:
		return true
	case forRoom:
		return w.tail-w.cursor>>slotBits < uint64(e.slots)
	case forPut:
		return !w.empty(e.slots)
	case asleep:
		return w.woken
	}
	return false
}

// empty reports whether the slot at the cursor is not there.
func (w *world) empty(slots int) bool {
	return (w.slots[w.cursor>>slotBits%uint64(slots)].end^w.cursor)&1 != 0
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
	return fmt.Sprintf("%d: %s %s.%s(%d, %d), was %d%s", i, op.call, word, names[in.op], t.regs[in.a],
		t.regs[in.b], *w.word(in, t), done)
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
	for _, v := range [...]uint64{w.cursor, w.tail, w.low, w.spoilt, w.stale} {
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
	h.mix(uint64(program)<<56 | uint64(t.op)<<48 | uint64(t.pc)<<32 | t.last<<16 | uint64(
		t.got)<<8 | uint64(t.state)<<1 | boolWord(t.empty))
	h.mix(uint64(t.given)<<32 | uint64(t.shut))
	for ; needed != 0; needed &= needed - 1 {
		h.mix(t.regs[bits.TrailingZeros64(needed)])
	}
	return h
}
