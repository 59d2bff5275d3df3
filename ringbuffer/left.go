package ringbuffer

// Front returns the next number to be taken, without its frame, and how many slots hold
// numbers: 0 when the ring is empty. Those that are put while it looks do not count.
func (r *Ring) Front() (number int64, slots int) {
	tail := r.tail.Load()
	cursor := r.cursor.Load() >> slotBits
	for p := cursor; ; p++ {
		next, last, there := r.look(p)
		if !there {
			return 0, 0
		}
		if next <= last { // the cursor may have passed what was the tail
			return r.number(next), max(1, int(tail-cursor))
		}
	}
}

// Left counts the numbers in the ring by reading all its slots. While nobody puts, the
// result lies between the numbers at the beginning and at the end of the call, so that it
// never increases from call to call.
func (r *Ring) Left() (left int64) {
	p := r.cursor.Load() >> slotBits
	for range r.size {
		next, last, there := r.look(p)
		if !there {
			break
		}
		if next <= last {
			left += int64(last - next + 1)
		}
		p++
	}
	return left
}

// look reads what is left of the slot of position p, which the cursor was at or has yet
// to reach: nothing when it has left p meanwhile. there is false when p has not been put.
func (r *Ring) look(p uint64) (next, last uint64, there bool) {
	at := r.place(p)
	s := r.slot(at)
	end := s.end.Load()
	next = s.next.Load()
	if r.cursor.Load() > at { // end and next may be a later lap's
		return 1, 0, true
	}
	return next, r.last(end), (end^at)&1 == 0
}

// Spoilt is how many numbers, at most, were put and will never be taken, because a take
// added to a later lap of the slot than it had read: it was paused in between while
// the cursor went once around the ring. It never decreases.
func (r *Ring) Spoilt() int64 { return int64(r.spoilt.Load()) }
