package ringbuffer

import "math"

// Attempt is a take that has begun: one fetch-and-add, if there was a slot to add to.
type Attempt struct {
	at  uint64 // the cursor that was read, 0 for none
	end uint64 // its slot's end
	v   uint64 // what the add gave; unadded when there was none
}

// unadded is above every last number.
const unadded = math.MaxUint64

// Begin is the common case of a take, small enough to be inlined:
//
//	begun := ring.Begin()
//	if number, ok := ring.Number(begun); ok {
//		return number, nil
//	}
//	number, n, low := ring.Take(begun, 1)
func (r *Ring) Begin() (a Attempt) {
	a.at = r.cursor.Load()
	s := r.slot(a.at)
	a.end = s.end.Load()
	a.v = unadded
	// Of this lap, and while the cursor was there: so it is the position's.
	if (a.end^a.at)&1 == 0 && r.cursor.Load() == a.at {
		a.v = s.next.Add(1) - 1 // the position's counter, or a later one: then above last
	}
	return a
}

// Number returns the number of an attempt; ok is false when it has none, or its slot's last one.
func (r *Ring) Number(a Attempt) (number int64, ok bool) {
	return r.framed(a.v, a.end), a.v < r.last(a.end)
}

// Take takes the next numbers, up to limit (1 or more) and up to the end of the slot: n
// numbers, the lowest of which is first. n is 0 when there are none. begun is an attempt
// without a number, or the zero Attempt. low says that the call has passed the low-water mark,
// so the ring should be refilled.
func (r *Ring) Take(begun Attempt, limit int) (first int64, n int, low bool) {
	if begun.at != 0 && begun.v != unadded {
		if begun.v == r.last(begun.end) {
			low = r.advance(begun.at)
			return r.framed(begun.v, begun.end), 1, low
		}
		r.missed(begun.at, 1)
	}
	want := min(uint64(limit), r.span) // so that no counter overflows
	for {
		at, end, there := r.front()
		if !there {
			return 0, 0, low
		}
		s := r.slot(at)
		last := r.last(end)
		if s.next.Load() <= last { // else used up: no need to add to it
			v := s.next.Add(want) - want // as in Begin
			first = r.framed(v, end)
			if v+want <= last {
				return first, int(want), low
			}
			if v <= last {
				passed := r.advance(at)
				return first, int(last - v + 1), low || passed
			}
			r.missed(at, want)
		}
		passed := r.advance(at)
		low = low || passed
	}
}

// front returns the cursor and its slot's end; false when the slot has not been put.
func (r *Ring) front() (at, end uint64, there bool) {
	for {
		at = r.cursor.Load()
		end = r.slot(at).end.Load()
		if r.cursor.Load() == at { // and was all the while, so end is of its lap or the one before
			return at, end, (end^at)&1 == 0
		}
	}
}

// missed counts the numbers that an add above the last number may have cost: none, unless
// the slot has been put again. Then the add may have hit the later lap's counter.
func (r *Ring) missed(at, n uint64) {
	if r.cursor.Load() != at && r.tail.Load()-at>>slotBits > r.size {
		r.spoilt.Add(n)
	}
}

// advance moves the cursor from a slot that is used up, unless it has moved already, and
// reports whether the producer waits for that. The swap of the mark lets only one taker
// report it.
func (r *Ring) advance(at uint64) (low bool) {
	// Most takers that find a slot used up come too late: they need not contend for the line.
	if r.cursor.Load() != at || !r.cursor.CompareAndSwap(at, r.after(at)) {
		return false
	}
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
	return at>>slotBits+1 >= mark && r.low.CompareAndSwap(mark, disarmed)
}
