package ringbuffer

// Front returns the next number to be taken, without its frame; ok is false when there is
// none. slots is how many slots the cursor has not left, of which the first may be used up.
// Slots that are put while Front looks do not count.
func (r *Ring) Front() (number int64, ok bool, slots int) {
	tail := r.tail.Load()
	p := r.cursor.Load() >> slotBits
	slots = max(0, int(tail-p)) // the cursor may have passed what was the tail
	for ; ; p++ {
		next, last, there := r.look(p)
		if !there {
			return 0, false, slots
		}
		if next <= last {
			return r.number(next), true, slots
		}
	}
}

// Left counts the numbers in the ring by reading all its slots. While nothing is put, the
// result lies between the numbers at the beginning and at the end of the call, so it never
// increases from call to call.
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

// look reads what is left of the slot of position p, which the cursor was at or has yet to
// reach: nothing when the cursor has left p meanwhile. there is false when p has not been put.
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

// Spoilt returns how many numbers, at most, were put and will never be taken, because a take
// added to a later lap of the slot than it had read: it was paused in between while the cursor
// went once around the ring. It never decreases.
func (r *Ring) Spoilt() int64 { return int64(r.spoilt.Load()) }
