package ringbuffer

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/ringuid/ringuid/internal/interleave"
)

// operation is what a thread does: a call, and how it goes on.
type operation struct {
	call string
	args [2]uint64
	then func(e *explorer, w *world, t *thread, op *operation) error
}

// scenario is a ring, and a program for each thread.
type scenario struct {
	name        string
	slots, span int
	programs    [][]operation // the first is the producer's
}

func put(first, n uint64) operation    { return operation{"Put", [2]uint64{first, n}, afterPut} }
func tryPut(first, n uint64) operation { return operation{"Put", [2]uint64{first, n}, afterTryPut} }
func arm(left uint64) operation        { return operation{"Arm", [2]uint64{left}, afterArm} }
func drop(number uint64) operation     { return operation{"Drop", [2]uint64{number}, afterDrop} }

// framed is the first number of a put with a frame that no other put has.
func framed(first uint64) uint64 { return first | first*(counted+1) }

// take takes n numbers, one by one, and waits when there are none.
func take(n uint64) operation { return operation{"take", [2]uint64{0, n}, afterTake} }

// takeSpan takes n numbers, up to two at a time.
func takeSpan(n uint64) operation { return operation{"takeSpan", [2]uint64{2, n}, afterTake} }

// set is the numbers from first on, n of them.
func set(first, n uint64) (s uint32) {
	for v := first; v < first+n && v <= maxNumbers; v++ {
		s |= 1 << v
	}
	return s
}

// begin makes a thread ready for its operation.
func (e *explorer) begin(w *world, i int) {
	t := &w.threads[i]
	if t.op >= len(e.programs[i]) {
		*t = thread{op: t.op, state: finished}
		return
	}
	op := &e.programs[i][t.op]
	*t = thread{op: t.op, last: t.last, got: t.got, empty: w.empty(e.slots)}
	first := op.args[0]
	if op.call == "Put" {
		first = framed(first)
	}
	t.Begin(first, op.args[1])
	w.local(t, e.code[op.call], op, i == 0)
}

// step does one atomic step of a thread and all of its own up to the next.
func (e *explorer) step(w *world, i int) error {
	t := &w.threads[i]
	if t.state != running {
		if t.state == asleep {
			w.woken = false
			t.op++
		}
		e.begin(w, i)
		return nil
	}
	op := &e.programs[i][t.op]
	code, cursor := e.code[op.call], w.cursor
	w.atomic(t, code, op)
	done := w.local(t, code, op, i == 0)
	if w.cursor < cursor {
		return fmt.Errorf("%d: %s moves the cursor back", i, op.call)
	}
	if w.empty(e.slots) {
		for k := range e.programs {
			w.threads[k].empty = w.threads[k].state == running
		}
	}
	if !done {
		return nil
	}
	if err := op.then(e, w, t, op); err != nil {
		return fmt.Errorf("%d: %s %w", i, op.call, err)
	}
	if t.state == running { // the next operation, or this one again
		e.begin(w, i)
	}
	return nil
}

// counted notes what an operation on a slot's counter gives to whom.
func (w *world) counted(t *thread, slot uint64, op interleave.Op, was, is uint64, by *operation) {
	got := set(was, is-was) & w.live[slot]
	switch op {
	case interleave.Store: // a new lap
		w.live[slot] = set(by.args[0], by.args[1])
	case interleave.Swap, interleave.CompareAndSwap:
		t.shut |= got
		w.gone |= got
		w.live[slot] &^= got
	case interleave.Add:
		w.live[slot] &^= got
		t.given |= got
	}
}

// afterTake checks what a take returned.
func afterTake(e *explorer, w *world, t *thread, op *operation) error {
	number, n, low := t.Result(0), t.Result(1), t.Result(2)
	first := number & counted
	if low != 0 {
		w.woken = true
	}
	got := set(first, n)
	switch {
	case n > 0 && (got&^t.given != 0 || bits.OnesCount32(got) != int(n)):
		return fmt.Errorf("returns %d from %d on, which its adds did not give it", n, first)
	case n > 0 && number&^counted != e.frameOf(first):
		return fmt.Errorf("returns %d with another span's frame, %d", first, number/(counted+1))
	case got&w.taken != 0:
		return fmt.Errorf("returns %d from %d on, some of them a second time", n, first)
	case n == 0 && !t.empty:
		return errors.New("finds no number, and there was one all the while")
	case n > 0 && first <= t.last:
		return fmt.Errorf("returns %d after %d", first, t.last)
	}
	w.taken |= got
	w.gaps |= t.given &^ got
	if t.got += int(n); n > 0 {
		t.last = first + n - 1
	}
	switch {
	case n == 0:
		t.state = forPut
	case t.got >= int(op.args[1]):
		t.op++
		t.got = 0
	}
	return nil
}

// frameOf is the frame of a number.
func (e *explorer) frameOf(number uint64) uint64 {
	for _, program := range e.programs {
		for _, op := range program {
			if op.call == "Put" && op.args[0] <= number && number < op.args[0]+op.args[1] {
				return framed(op.args[0]) &^ counted
			}
		}
	}
	return 0
}

func afterPut(e *explorer, w *world, t *thread, op *operation) error {
	if t.Result(0) == 0 {
		t.state = forRoom
		return nil
	}
	return afterTryPut(e, w, t, op)
}

func afterTryPut(_ *explorer, w *world, t *thread, op *operation) error {
	if t.Result(0) != 0 {
		w.put |= set(op.args[0], op.args[1])
	}
	t.op++
	return nil
}

func afterArm(_ *explorer, w *world, t *thread, op *operation) error {
	if t.Result(0) != 0 {
		t.state = asleep
		return nil
	}
	t.op++
	return nil
}

// afterDrop checks that what was dropped is counted, and gone for good.
func afterDrop(e *explorer, w *world, t *thread, op *operation) error {
	if n := t.Result(0); n != uint64(bits.OnesCount32(t.shut)) {
		return fmt.Errorf("returns %d, and there were %b", n, t.shut)
	}
	for i := range w.live {
		if left := w.live[i] & set(1, op.args[0]); left != 0 {
			return fmt.Errorf("leaves %b, which takes may still hand out", left)
		}
	}
	t.op++
	return nil
}

var (
	errSleeps = errors.New("the producer sleeps, and the ring is low")
	errLost   = errors.New("numbers are lost")
)

// end checks a state in which nothing moves any more.
func (e *explorer) end(w *world) error {
	left, slots := uint32(0), uint64(0)
	for i := range w.live {
		left |= w.live[i]
		slots += boolWord(w.live[i] != 0)
	}
	if lost := w.put &^ (w.taken | w.gone | w.gaps | left); lost != 0 {
		return fmt.Errorf("%w: %b", errLost, lost)
	}
	if n := bits.OnesCount32(w.gaps); uint64(n) > w.spoilt {
		return fmt.Errorf("%w: %b are gaps, of which %d are told", errLost, w.gaps, w.spoilt)
	}
	if w.spoilt > 0 && w.tail <= 2*uint64(e.slots) {
		return fmt.Errorf("%w: %d are told to be, and no slot was used twice", errLost, w.spoilt)
	}
	waiting := false
	for i := range e.programs {
		waiting = waiting || w.threads[i].state == forPut
	}
	if w.gaps != 0 && !waiting {
		return nil // the next take finds the slot used up, and moves on
	}
	for i := range e.programs {
		t := &w.threads[i]
		switch {
		case t.state == asleep && slots < e.programs[i][t.op].args[0]:
			return fmt.Errorf("%w: %b are left", errSleeps, left)
		case t.state == forRoom && slots < uint64(e.slots):
			return fmt.Errorf("the producer finds the ring full, and %d slots hold numbers", slots)
		}
	}
	return nil
}
