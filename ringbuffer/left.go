package ringbuffer

// Front is the next number to be taken; false when the ring is empty.
func (r *Ring) Front() (int64, bool) {
	for {
		p := r.cursor.Load()
		next, last, ok := r.look(p)
		if ok && next > last { // used up, and the cursor has not moved on yet
			p++
			next, last, ok = r.look(p)
		}
		switch {
		case ok && next <= last:
			return r.number(next), true
		case !ok && r.cursor.Load() <= p:
			return 0, false
		}
	}
}

// Used is how many slots hold numbers.
func (r *Ring) Used() int { return int(r.tail.Load() - r.cursor.Load()) }

// Left counts the numbers in the ring by walking over its slots. As long as nobody
// puts, it is between what was left at the beginning of the walk and at its end.
func (r *Ring) Left() (left int64) {
	p := r.cursor.Load()
	for range r.slots {
		next, last, ok := r.look(p)
		if !ok {
			break
		}
		left += count(next, last)
		p++
	}
	return left
}

// look reads what is left of the slot of position p, and whether it is there.
func (r *Ring) look(p uint64) (next, last uint64, ok bool) {
	s := r.slot(p)
	if s.pos.Load() != p {
		return 0, 0, false
	}
	last, next = s.last.Load(), s.next.Load()
	return next, last, s.pos.Load() == p // no other lap began in between
}

// Spoilt is how many numbers at most were put and will never be taken, as a take
// added to a slot of another lap than it had looked at: one that was stopped
// between the two while the cursor went once around the ring. It only grows.
func (r *Ring) Spoilt() int64 { return int64(r.spoilt.Load()) }
