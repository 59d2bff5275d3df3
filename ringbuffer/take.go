package ringbuffer

// TryTake is the common case of Take, small enough to be inlined: not the last
// number of a slot, and nobody else at the cursor. False says only that it was
// not the common case: call Retake.
func (r *Ring) TryTake() (number int64, ok bool) {
	c := r.cursor.Load()
	s := &r.slots[c>>(r.shift&63)&r.mask]
	end := s.end.Load() // before base, which was stored first
	// Two or more left: the cursor stays in this slot, so no mark is passed.
	return s.base.Load() + int64(c<<(r.spacing&63)), end-c-2 < r.spanMask && r.cursor.CompareAndSwap(c, c+1)
}

// Take takes the next number. With Empty there is none, and the number is 0.
func (r *Ring) Take() (number int64, s State) {
	if number, ok := r.TryTake(); ok {
		return number, Taken
	}
	return r.Retake()
}

// Retake is Take after a TryTake that said false.
func (r *Ring) Retake() (number int64, s State) {
	c := r.cursor.Load()
	if r.slot(c).end.Load()-c-2 < r.spanMask {
		r.backOff() // this is the common case, so the cursor was lost to another
	}
	number, _, s = r.claim(1)
	return number, s
}

// TakeSpan takes the next numbers, up to limit (1 or more) and up to the end of
// the slot: n numbers from first on. With Empty there are none, and n is 0.
func (r *Ring) TakeSpan(limit int) (first int64, n int, s State) {
	return r.claim(uint64(limit))
}

// claim moves the cursor over up to limit numbers of the slot it is in.
func (r *Ring) claim(limit uint64) (first int64, n int, s State) {
	for ; ; r.backOff() {
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
				return r.number(base, c), int(limit), Taken
			}
		default:
			next := r.behind(c)
			if r.cursor.CompareAndSwap(c, next) {
				return r.number(base, c), int(left), r.passed(next >> r.shift)
			}
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

// backOffSpins is how long the loser of a swap stays away, about a quarter of a
// microsecond: the winner keeps the cursor's line meanwhile and takes dozens of
// numbers at its single-goroutine speed, which more than halves the cost per
// number when all CPUs take. See docs/performance.md for the figures.
const backOffSpins = 1200

// backOff spins without touching a line that anybody writes. The gc compiler
// keeps empty loops; one that did not would cost speed and nothing else.
func (*Ring) backOff() {
	for range backOffSpins {
	}
}
