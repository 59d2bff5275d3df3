package ringbuffer

// Put appends n numbers, beginning with first, as one slot. n is 1 to the ring's span.
// Put returns false, and changes nothing, when the ring is full.
//
// The numbers must be above all those that were put before, in the bits that the ring counts,
// and have one frame. Put refuses numbers that are not above what the slot held.
func (r *Ring) Put(first int64, n int) bool {
	t := r.tail.Load()
	if t-r.cursor.Load()>>slotBits >= r.size {
		return false // the cursor has not left the slot's previous lap
	}
	s, from := r.slot(t<<slotBits), r.steps(uint64(first))
	// The numbers in a slot grow from lap to lap, so that none is given twice.
	if t >= 2*r.size && from <= r.last(s.end.Load()) {
		return false
	}
	last := uint64(first) + uint64(n-1)<<(r.spacing&63)
	r.tail.Store(t + 1)                 // before next: who adds to a later lap's sees it, see missed
	s.next.Store(from)                  // who still adds for the former lap gets more than its last
	s.end.Store(last<<1 | r.place(t)&1) // publishes the slot
	return true
}

// Arm sets the low-water mark: the take after which fewer than left slots hold numbers
// returns low, once. left is 1 to the number of the ring's slots. If fewer hold numbers
// already, Arm returns false and leaves the mark unset.
func (r *Ring) Arm(left int) bool {
	// From this position on, left-1 slots or fewer lie before the tail.
	mark := r.tail.Load() + 1 - uint64(left)
	r.low.Store(mark)
	if r.cursor.Load()>>slotBits < mark {
		return true // a take that reaches the mark from now on sees it
	}
	r.low.Store(disarmed)
	return false
}
