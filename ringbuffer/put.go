package ringbuffer

// Put appends n numbers, beginning with first, as one slot. n is 1 to the ring's span.
// Put returns false, and changes nothing, when the ring is full.
//
// The numbers must be above all those that were put before, in the bits that the ring
// counts, and have one frame. Should two producers put at
// the same time, which they must not, Put may return false to one of them for lower
// numbers.
func (r *Ring) Put(first int64, n int) bool {
	from := r.steps(uint64(first))
	for {
		t := r.tail.Load()
		s := r.slot(t)
		// What a slot holds grows from lap to lap, whoever puts it: that no number
		// comes twice rests on it. Nobody writes end now, unless t is lost to
		// another producer, and then the swap fails.
		if !r.roomAt(t) || t > 2*r.mask+1 && from <= r.last(s.end.Load()) {
			return false
		}
		if !r.tail.CompareAndSwap(t, t+1) {
			continue
		}
		last := uint64(first) + uint64(n-1)<<(r.spacing&63)
		s.next.Store(from)                  // who still adds for the former lap gets more than its last
		s.end.Store(last<<1 | r.place(t)&1) // publishes the slot
		return true
	}
}

// roomAt reports whether slot t may be put: whether the cursor has left the slot's
// previous lap. It reads the cursor, which the takers move, only if the last reading does
// not already prove it.
func (r *Ring) roomAt(t uint64) bool {
	if t-r.seen.Load() <= r.mask {
		return true
	}
	p := r.cursor.Load() >> 1
	r.seen.Store(p)
	return t-p <= r.mask
}

// Arm sets the low-water mark: the take after which fewer than left slots hold numbers
// returns low, once. left is 1 to Slots. Arm returns false, with the mark not set, when
// there are fewer already.
func (r *Ring) Arm(left int) bool {
	r.low.Store(disarmed)
	// left-1 slots or fewer lie before the tail from here on.
	mark := r.tail.Load() + 1 - uint64(left)
	r.low.Store(mark)
	if r.cursor.Load()>>1 < mark {
		return true // whoever reaches the mark from now on sees it
	}
	r.low.Store(disarmed)
	return false
}
