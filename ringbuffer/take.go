package ringbuffer

// Take takes the next number. With Empty there is none, and the number is 0.
func (r *Ring) Take() (number int64, s State) {
	c := r.cursor.Load()
	slot := r.slot(c)
	left := slot.end.Load() - c
	number = slot.base.Load() + int64(c)
	// Two or more left: the cursor stays in this slot, so no mark is passed.
	if left-2 >= r.spanMask {
		return r.take(false)
	}
	if !r.cursor.CompareAndSwap(c, c+1) {
		return r.take(true)
	}
	return number, Taken
}

// take is Take from the start, for everything but the common case.
func (r *Ring) take(lost bool) (int64, State) {
	first, _, s := r.claim(1, lost)
	return first, s
}

// TakeSpan takes the next numbers, up to limit (1 or more) and up to the end of
// the slot: n numbers from first on. With Empty there are none, and n is 0.
func (r *Ring) TakeSpan(limit int) (first int64, n int, s State) {
	return r.claim(uint64(limit), false)
}

// claim moves the cursor over up to limit numbers of the slot it is in.
func (r *Ring) claim(limit uint64, lost bool) (first int64, n int, s State) {
	for {
		if lost {
			r.backOff()
		}
		c := r.cursor.Load()
		slot := r.slot(c)
		left := slot.end.Load() - c
		base := slot.base.Load()
		switch {
		case left-1 > r.spanMask: // not there: nothing was put, or it is gone
			if r.cursor.Load() == c {
				return 0, 0, Empty
			}
		case limit < left:
			if r.cursor.CompareAndSwap(c, c+limit) {
				return base + int64(c), int(limit), Taken
			}
			lost = true
		default:
			next := r.behind(c)
			if r.cursor.CompareAndSwap(c, next) {
				return base + int64(c), int(left), r.passed(next >> r.shift)
			}
			lost = true
		}
	}
}

// passed says whether reaching slot p is what the producer waits for. The swap
// lets one taker alone say so.
func (r *Ring) passed(p uint64) State {
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
	if p >= mark && r.low.CompareAndSwap(mark, disarmed) {
		return Low
	}
	return Taken
}

// backOffSpins is how long the loser of a swap stays away, about a tenth of a
// microsecond: the winner keeps the cursor's line meanwhile and takes dozens of
// numbers at its single-goroutine speed, which more than halves the cost per
// number when all CPUs take. See docs/performance.md for the figures.
const backOffSpins = 600

// backOff spins without touching a line that anybody writes. The gc compiler
// keeps empty loops; one that did not would cost speed and nothing else.
func (*Ring) backOff() {
	for range backOffSpins {
	}
}
