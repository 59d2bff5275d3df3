package ringbuffer

import "math"

// Claim is a take that has begun: one fetch-and-add, if there was a slot to add to. Take
// a number like this:
//
//	c := ring.Begin()
//	if ring.Held(c) {
//		return ring.Number(c), true, false
//	}
//	return ring.Finish(c)
type Claim struct {
	at  uint64 // the cursor that was read
	end uint64 // its slot's end
	v   uint64 // what the add gave; unadded when there was none
}

// unadded is above every last number.
const unadded = math.MaxUint64

// Begin is the common case of a take, small enough to be inlined: when the claim is
// Held, the take is done, and Number is its number. Otherwise Finish must be called.
func (r *Ring) Begin() (c Claim) {
	c.at = r.cursor.Load()
	s := &r.slots[c.at>>1&r.mask]
	c.end = s.end.Load()
	c.v = unadded
	// Of this lap, and while the cursor was there: so it is the position's.
	if (c.end^c.at)&1 == 0 && r.cursor.Load() == c.at {
		c.v = s.next.Add(1) - 1 // the position's counter, or a later one: then above last
	}
	return c
}

// Held reports whether the claim has a number that is not its slot's last one.
func (r *Ring) Held(c Claim) bool { return c.v < r.last(c.end) }

// Number is the number of a claim that is held.
func (r *Ring) Number(c Claim) int64 { return r.framed(c.v, c.end) }

// Finish is the rest of a take whose claim is not held. ok is false when there is no
// number. In either case, low says that the call has passed the low-water mark, so that
// the ring should be refilled.
func (r *Ring) Finish(c Claim) (number int64, ok, low bool) {
	if c.v == r.last(c.end) {
		low = r.advance(c.at) // it was the last one
		return r.Number(c), true, low
	}
	if c.v != unadded {
		r.missed(c.at, 1)
	}
	number, n, low := r.claim(1)
	return number, n > 0, low
}

// TakeSpan takes the next numbers, up to limit (1 or more) and up to the end of the slot:
// n numbers, the lowest of which is first. n is 0 when there are none. low is as in
// Finish.
func (r *Ring) TakeSpan(limit int) (first int64, n int, low bool) {
	return r.claim(min(uint64(limit), r.span))
}

// claim takes up to limit numbers out of the slot that the cursor is at. limit is
// at most span, so that no counter ends.
func (r *Ring) claim(limit uint64) (first int64, n int, low bool) {
	for {
		at, end, there := r.front()
		if !there {
			return 0, 0, low
		}
		s := r.slot(at >> 1)
		last := r.last(end)
		if s.next.Load() <= last { // else used up: no need to add to it
			v := s.next.Add(limit) - limit // as in Begin
			first = r.framed(v, end)
			if v+limit <= last {
				return first, int(limit), low
			}
			if v <= last {
				passed := r.advance(at)
				return first, int(last - v + 1), low || passed
			}
			r.missed(at, limit)
		}
		passed := r.advance(at)
		low = low || passed
	}
}

// front returns the cursor and its slot's end; false when the slot has not been put.
func (r *Ring) front() (at, end uint64, there bool) {
	for {
		at = r.cursor.Load()
		end = r.slot(at >> 1).end.Load()
		if r.cursor.Load() == at { // and was all the while, so end is of its lap or the one before
			return at, end, (end^at)&1 == 0
		}
	}
}

// missed counts the numbers that an add above the last number may have cost: none, unless
// the slot has been put again. Then the add may have hit the later lap's counter.
func (r *Ring) missed(at, n uint64) {
	if r.cursor.Load() != at && r.tail.Load()-at>>1 > r.mask+1 {
		r.spoilt.Add(n)
	}
}

// advance moves the cursor from a slot that is used up, unless it has moved already, and
// reports whether the producer waits for that. The swap of the mark lets only one taker
// report it.
func (r *Ring) advance(at uint64) (low bool) {
	p := at>>1 + 1
	// Most who find a slot used up come too late: they need not fight for the line.
	if r.cursor.Load() != at || !r.cursor.CompareAndSwap(at, r.place(p)) {
		return false
	}
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
	return p >= mark && r.low.CompareAndSwap(mark, disarmed)
}
