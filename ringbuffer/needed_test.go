package ringbuffer

// findNeeded says of each instruction what is still of interest when it comes, so
// that what is not makes no two states differ.
func findNeeded(code []instr) {
	for changed := true; changed; {
		changed = false
		for pc := len(code) - 1; pc >= 0; pc-- {
			i := &code[pc]
			after := uint64(0)
			if i.op != leave && i.op != jump {
				after = code[pc+1].needed
			}
			if i.op == jump || i.op == jumpIf {
				after |= code[i.value].needed
			}
			reads, writes := i.touches()
			if needed := after&^writes | reads; needed != i.needed {
				i.needed, changed = needed, true
			}
		}
	}
}

// touches are the registers that an instruction reads and writes.
func (i *instr) touches() (reads, writes uint64) {
	a, b, dst := uint64(1)<<i.a, uint64(1)<<i.b, uint64(1)<<i.dst
	switch i.op {
	case load, constant:
		writes = dst
	case store:
		reads = a
	case add, swap, move, not:
		reads, writes = a, dst
	case cas, binary:
		reads, writes = a|b, dst
	case jumpIf:
		reads = a
	case leave:
		reads = 7 << resultsAt
	}
	if i.op < atomicOps && i.slot >= 0 {
		reads |= 1 << i.slot
	}
	return reads, writes
}
