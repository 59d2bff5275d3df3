package ringbuffer

import "github.com/ringuid/ringuid/internal/interleave"

const (
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
	interleave.Thread
	op    int
	state threadState
	empty bool   // the ring was, at some moment of this operation
	given uint32 // by the adds of this operation
	shut  uint32 // by the swaps of this operation
	last  uint64 // number that it took
	got   int    // numbers that it took
}

type threadState uint8

const (
	running threadState = iota
	forRoom             // of the ring, to put
	forPut              // of something
	asleep              // until woken
	finished
)

func (w *world) word(i *interleave.Step, t *thread) *uint64 {
	switch i.Word {
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
	s := &w.slots[t.Regs[i.Slot]]
	if i.Word == "end" {
		return &s.end
	}
	return &s.next
}

// unseen reports whether nobody can tell when an atomic step of a thread is done:
// others do not touch the word, or it is read and nobody else writes it.
func unseen(i *interleave.Step, producer bool) bool {
	switch i.Word {
	case "spoilt", "stale":
		return true // no take reads them
	case "tail", "end":
		return producer && i.Op == interleave.Load
	}
	return false
}

// atomic does the atomic step that a thread is at, and tells the oracle.
func (w *world) atomic(t *thread, code interleave.Code, op *operation) {
	i := &code[t.PC]
	word := w.word(i, t)
	was := t.Do(code, word)
	if i.Word == "next" {
		w.counted(t, t.Regs[i.Slot], i.Op, was, *word, op)
	}
}

// local runs a thread's own steps, and those that no other can see, up to its next
// step; done when its function has returned.
func (w *world) local(t *thread, code interleave.Code, op *operation, producer bool) (done bool) {
	for !t.Run(code) {
		if !unseen(&code[t.PC], producer) {
			return false
		}
		w.atomic(t, code, op)
	}
	return true
}

func boolWord(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}
