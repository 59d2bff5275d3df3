package ringbuffer

import "math"

// Claim is a take that was begun: one fetch-and-add, if there was something to
// add to.
type Claim struct {
	pos  uint64 // the position that was looked at
	last uint64 // what was read as the slot's last number
	v    uint64 // what the add gave; unadded when there was none
}

// unadded is above every last number.
const unadded = math.MaxUint64

// Begin is the common case of Take, small enough to be inlined: when Held, the
// take is done, and Number is its number. Otherwise Finish must be called.
func (r *Ring) Begin() Claim {
	p := r.cursor.Load()
	s := &r.slots[p&r.mask]
	last := s.last.Load() // before pos: p's, or an earlier lap's
	if s.pos.Load() != p {
		return Claim{p, last, unadded}
	}
	return Claim{p, last, s.next.Add(1) - 1} // p's counter, or a later lap's: then above last
}

// Held reports whether the claim has a number that is not its slot's last one.
func (c Claim) Held() bool { return c.v < c.last }

// Number is the number of a claim that is held.
func (r *Ring) Number(c Claim) int64 { return r.number(c.v) }

// Take takes the next number; not ok when there is none. Low says that the call
// has passed the low-water mark, in either case: refill.
func (r *Ring) Take() (number int64, ok, low bool) {
	c := r.Begin()
	if c.Held() {
		return r.Number(c), true, false
	}
	return r.Finish(c)
}

// Finish is Take after a Begin that holds nothing.
func (r *Ring) Finish(c Claim) (number int64, ok, low bool) {
	if c.v > c.last && c.v != unadded {
		c.last = r.again(c)
	}
	if c.v <= c.last { // the last one of p's, by itself or found again
		if c.v == c.last {
			low = r.advance(c.pos)
		}
		return r.number(c.v), true, low
	}
	v, n, low := r.claim(1)
	return r.number(v), n > 0, low
}

// again is p's last number, read again, of a claim whose number lies above the
// one that it read; 0 when that cannot be told any more.
func (r *Ring) again(c Claim) (last uint64) {
	s := r.slot(c.pos)
	last = s.last.Load()
	if s.pos.Load() != c.pos {
		// Another lap. It is the one that the add hit, or a later one: a number
		// of its may be lost.
		r.spoilt.Add(1)
		return 0
	}
	return last // pos was p before the add and still is, so both were p's
}

// TakeSpan takes the next numbers, up to limit (1 or more) and up to the end of
// the slot: n numbers from first on, 0 when there are none. Low as Take's.
func (r *Ring) TakeSpan(limit int) (first int64, n int, low bool) {
	v, n, low := r.claim(min(uint64(limit), r.span))
	return r.number(v), n, low
}

// claim takes up to limit numbers out of the slot that the cursor is at. limit is
// at most span, so that no counter ends.
func (r *Ring) claim(limit uint64) (v uint64, n int, low bool) {
	for {
		p := r.cursor.Load()
		s := r.slot(p)
		if s.pos.Load() != p {
			if r.cursor.Load() == p { // and was all the while: p is not there yet
				return 0, 0, low
			}
			continue
		}
		last := s.last.Load() // after pos: p's, or a later lap's
		if s.pos.Load() != p {
			continue
		}
		if s.next.Load() <= last { // else used up: no need to add to it
			v = s.next.Add(limit) - limit // p's counter, or a later lap's: then above last
			if v+limit <= last {
				return v, int(limit), low
			}
			if v <= last {
				passed := r.advance(p)
				return v, int(last - v + 1), low || passed
			}
			if s.pos.Load() != p {
				r.spoilt.Add(limit) // as in again
			}
		}
		passed := r.advance(p) // p is used up, or gone
		low = low || passed
	}
}

// advance moves the cursor on from p, which is used up, and says whether that
// is what the producer waits for. The swap of the mark lets one taker alone say
// so.
func (r *Ring) advance(p uint64) (low bool) {
	// Most who find p used up come too late: they need not fight for the line.
	if r.cursor.Load() != p || !r.cursor.CompareAndSwap(p, p+1) {
		return false
	}
	mark := r.low.Load() // after the cursor moved: see "Why a wake-up is not lost"
	return p+1 >= mark && r.low.CompareAndSwap(mark, disarmed)
}
