package interleave

import "math/bits"

// Op is what a step does with registers A, B and dst. Those up to atomicOps are atomic
// operations, which others may come between; all others are a thread's own.
type Op uint8

const (
	Load           Op = iota // dst = word
	Store                    // word = A
	Add                      // word += A, dst = the sum
	Swap                     // dst, word = word, A
	CompareAndSwap           // dst = word == A; if so, word = B
	atomicOps

	calculate // dst = of(A, B)
	branch    // to another step when A is 0
	leave     // the function is done, its results are in the last registers
)

// Operations are the names of those that are atomic.
var Operations = [...]string{"Load", "Store", "Add", "Swap", "CompareAndSwap"}

// Code is a function, compiled.
type Code []Step

// Step is an instruction. What it does not have is register 0, which is always 0.
type Step struct {
	Op     Op
	Word   string // of an atomic operation
	Slot   int    // register with the slot that has the word; 0: the object has it
	A, B   int    // registers
	dst    int
	of     func(a, b uint64) uint64
	to     int
	needed uint64 // the registers, as a set, that are read here or later
}

const (
	registers = 60
	resultsAt = registers - 3 // the first of a function's results
)

// Thread is a call: where it is, and what it knows.
type Thread struct {
	PC   int
	Regs [registers]uint64
}

// Begin makes a thread ready for a call with these arguments.
func (t *Thread) Begin(args ...uint64) {
	*t = Thread{}
	copy(t.Regs[1:], args)
}

// Result returns a result of a call that has returned.
func (t *Thread) Result(i int) uint64 { return t.Regs[resultsAt+i] }

// Run runs a thread's own steps, up to its next atomic operation, code[t.PC]; it reports whether
// the function has returned.
func (t *Thread) Run(code Code) (returned bool) {
	for {
		i, r := &code[t.PC], &t.Regs
		switch {
		case i.Op < atomicOps || i.Op == leave:
			return i.Op == leave
		case i.Op == branch && r[i.A] == 0:
			t.PC = i.to
			continue
		case i.Op == calculate:
			r[i.dst] = i.of(r[i.A], r[i.B])
		}
		t.PC++
	}
}

// Do does the atomic operation that a thread is at, and returns what the word was.
func (t *Thread) Do(code Code, word *uint64) (was uint64) {
	i := &code[t.PC]
	was = *word
	a, b := t.Regs[i.A], t.Regs[i.B]
	switch i.Op {
	case Load:
		t.Regs[i.dst] = was
	case Store:
		*word = a
	case Add:
		*word += a
		t.Regs[i.dst] = *word
	case Swap:
		*word = a
		t.Regs[i.dst] = was
	case CompareAndSwap:
		t.Regs[i.dst] = boolWord(was == a)
		if was == a {
			*word = b
		}
	}
	t.PC++
	return was
}

// Hash is of a state of the world. It has 128 bits, so that no state is taken for another.
type Hash [2]uint64

// Mix adds a value.
func (h *Hash) Mix(v uint64) {
	hi, lo := bits.Mul64(h[0]^v, 0x9e3779b97f4a7c15)
	h[0] = hi ^ lo ^ h[1]
	hi, lo = bits.Mul64(h[1]+v, 0xd6e8feb86659fd93)
	h[1] = hi + lo ^ bits.RotateLeft64(v, 31) + 0x2545f4914f6cdd1d
}

// MixThread adds where a thread is in its code, without registers that are not needed any more.
func (h *Hash) MixThread(t *Thread, code Code) {
	h.Mix(uint64(t.PC))
	for needed := code[t.PC].needed; needed != 0; needed &= needed - 1 {
		h.Mix(t.Regs[bits.TrailingZeros64(needed)])
	}
}

// operators have the name of an operator or of a function. Those with one operand have it as b; -b
// is 0-b.
var operators = map[string]func(a, b uint64) uint64{
	"+":   func(a, b uint64) uint64 { return a + b },
	"-":   func(a, b uint64) uint64 { return a - b },
	"*":   func(a, b uint64) uint64 { return a * b },
	"&":   func(a, b uint64) uint64 { return a & b },
	"&^":  func(a, b uint64) uint64 { return a &^ b },
	"^":   func(a, b uint64) uint64 { return a ^ b },
	"|":   func(a, b uint64) uint64 { return a | b },
	"<<":  func(a, b uint64) uint64 { return a << b },
	">>":  func(a, b uint64) uint64 { return a >> b },
	"==":  func(a, b uint64) uint64 { return boolWord(a == b) },
	"!=":  func(a, b uint64) uint64 { return boolWord(a != b) },
	"<":   func(a, b uint64) uint64 { return boolWord(a < b) },
	"<=":  func(a, b uint64) uint64 { return boolWord(a <= b) },
	">":   func(a, b uint64) uint64 { return boolWord(a > b) },
	">=":  func(a, b uint64) uint64 { return boolWord(a >= b) },
	"!":   func(_, b uint64) uint64 { return boolWord(b == 0) },
	"min": func(a, b uint64) uint64 { return min(a, b) },
	"max": func(a, b uint64) uint64 { return max(a, b) },
}

func boolWord(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// findNeeded says of each step what is still of interest when it comes, so that what is not makes
// no two states differ.
func findNeeded(code Code) {
	for changed := true; changed; {
		changed = false
		for pc := len(code) - 1; pc >= 0; pc-- {
			i := &code[pc]
			after := uint64(7) << resultsAt
			if i.Op != leave {
				after = code[pc+1].needed
			}
			if i.Op == branch {
				if i.A == 0 { // always
					after = 0
				}
				after |= code[i.to].needed
			}
			needed := after&^(1<<i.dst) | 1<<i.A | 1<<i.B | 1<<i.Slot
			changed = changed || needed != i.needed
			i.needed = needed
		}
	}
}
