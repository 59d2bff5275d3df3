package ringbuffer

import (
	"fmt"
	"slices"

	"github.com/ringuid/ringuid/internal/interleave"
)

// explorer goes through all interleavings of a scenario.
type explorer struct {
	scenario
	code  map[string]interleave.Code // of each function
	alike []int                      // for each thread the first that has its program
	seen  map[interleave.Hash]struct{}
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
	e.seen = map[interleave.Hash]struct{}{}
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
	in := &e.code[op.call][t.PC]
	word := in.Word
	if in.Slot > 0 {
		word = fmt.Sprintf("slots[%d].%s", t.Regs[in.Slot], word)
	}
	done := ""
	if after.op != t.op || after.state != running {
		done = ", done"
	}
	return fmt.Sprintf("%d: %s %s.%s(%d, %d), was %d%s", i, op.call, word,
		interleave.Operations[in.Op], t.Regs[in.A], t.Regs[in.B], *w.word(in, t), done)
}

// hash tells two states apart. Threads that have the same program may change places.
func (e *explorer) hash(w *world) (h interleave.Hash) {
	for _, v := range [...]uint64{w.cursor, w.tail, w.low, w.spoilt, w.stale} {
		h.Mix(v)
	}
	for i := range w.slots {
		s := &w.slots[i]
		h.Mix(s.end)
		h.Mix(s.next)
		h.Mix(uint64(w.live[i]))
	}
	h.Mix(uint64(w.put)<<32 | uint64(w.taken))
	h.Mix(uint64(w.gone)<<32 | uint64(w.gaps))
	h.Mix(boolWord(w.woken))
	var sum interleave.Hash
	for i := range e.programs {
		one := e.hashThread(&w.threads[i], i)
		sum[0] += one[0]
		sum[1] += one[1]
	}
	h.Mix(sum[0])
	h.Mix(sum[1])
	return h
}

func (e *explorer) hashThread(t *thread, i int) (h interleave.Hash) {
	h.Mix(uint64(e.alike[i])<<56 | uint64(t.op)<<48 | t.last<<16 | uint64(t.got)<<8 |
		uint64(t.state)<<1 | boolWord(t.empty))
	h.Mix(uint64(t.given)<<32 | uint64(t.shut))
	if t.state == running {
		h.MixThread(&t.Thread, e.code[e.programs[i][t.op].call])
	}
	return h
}
