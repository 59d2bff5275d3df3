package ringbuffer

import "math"

// Put appends n numbers from first on, 1 <= n <= Span, as one slot. It
// returns false, and changes nothing, when the ring is full.
func (r *Ring) Put(first int64, n int) bool {
	var t uint64
	for {
		t = r.tail.Load()
		if !r.roomAt(t) {
			return false
		}
		// The swap gives slot t to this call alone, so that even a second
		// producer, which should not be, corrupts nothing.
		if r.tail.CompareAndSwap(t, t+1) {
			break
		}
	}
	// Nobody trusts what is read here meanwhile: end still names an earlier lap,
	// or was read before the cursor left it and then the taker's swap fails.
	at := t << r.shift
	s := &r.slots[t&r.mask]
	s.base.Store(first - r.number(0, at))
	s.end.Store(at + uint64(n))
	return true
}

// Full reports whether a Put would be rejected now.
func (r *Ring) Full() bool { return !r.roomAt(r.tail.Load()) }

// roomAt reports whether slot t may be put: t - cursor's slot < size. It reads
// the cursor, which the takers fight for, only when the last reading does not
// prove it already.
func (r *Ring) roomAt(t uint64) bool {
	if t-r.seen.Load() <= r.mask {
		return true
	}
	p := r.cursor.Load() >> r.shift
	r.seen.Store(p)
	return t-p <= r.mask
}

// Arm sets the low-water mark: the take after which fewer than left slots hold
// numbers answers Low, once. It returns false, with the mark not set, when there
// are fewer already.
func (r *Ring) Arm(left int) bool {
	r.low.Store(disarmed)
	t := r.tail.Load()
	if t+1 < uint64(left) {
		return false
	}
	// left-1 slots or fewer lie before the tail from here on.
	mark := t + 1 - uint64(left)
	r.low.Store(mark)
	if r.cursor.Load()>>r.shift < mark {
		return true // whoever reaches the mark from now on sees it
	}
	r.low.Store(disarmed)
	return false
}

// Front is the next number to be taken; false when the ring is empty.
func (r *Ring) Front() (int64, bool) {
	for {
		c := r.cursor.Load()
		s := r.slot(c)
		end, base := s.end.Load(), s.base.Load()
		if r.cursor.Load() != c {
			continue // taken meanwhile: the slot may be another one by now
		}
		return r.number(base, c), end-c-1 <= r.spanMask
	}
}

// Skip takes the first slot out if its last number is at most this one, and
// returns how many numbers that were.
func (r *Ring) Skip(number int64) (dropped int64) {
	for {
		c := r.cursor.Load()
		s := r.slot(c)
		end, base := s.end.Load(), s.base.Load()
		left := end - c
		if left-1 > r.spanMask || r.number(base, end-1) > number {
			if r.cursor.Load() == c {
				return 0
			}
			continue // taken meanwhile: the slot may be another one by now
		}
		if r.cursor.CompareAndSwap(c, r.behind(c)) { // as a take of all that is left
			return int64(left)
		}
	}
}

// Flush takes out all that was put, and returns how many numbers that were. All
// numbers that were ever put are stale from then on.
func (r *Ring) Flush() (flushed int64) {
	r.expire(r.highest())
	for {
		_, n, s := r.claim(math.MaxUint64)
		if s == Empty {
			return flushed
		}
		flushed += int64(n)
	}
}

// highest is the highest number that was ever put, -1 for none. Like Put, it is
// the producer's alone.
func (r *Ring) highest() int64 {
	t := r.tail.Load()
	if t == 0 {
		return -1
	}
	last := &r.slots[(t-1)&r.mask]
	return r.number(last.base.Load(), last.end.Load()-1)
}

// Expire makes numbers up to this one that were ever put stale: who took a span of
// them and has not handed them out must not any more. It looks at Stale for each.
// What is put later is not stale, though it may lie below: a clock that was ahead
// for a moment asks for that.
func (r *Ring) Expire(number int64) { r.expire(min(number, r.highest())) }

// Seal makes all numbers stale, also those that are put later.
func (r *Ring) Seal() { r.expire(math.MaxInt64) }

func (r *Ring) expire(number int64) {
	for {
		was := r.stale.Load()
		if number <= was || r.stale.CompareAndSwap(was, number) {
			return
		}
	}
}

// Stale is the highest number that must not be handed out any more, -1 for none.
// It only grows; numbers do too, so what is put later is above it.
func (r *Ring) Stale() int64 { return r.stale.Load() }

// Used is how many slots hold numbers.
func (r *Ring) Used() int { return int(r.tail.Load() - r.cursor.Load()>>r.shift) }

// Left counts the numbers in the ring by walking over its slots. Nobody puts
// meanwhile: then it is exact for the moment in which the walk began, while
// others take.
func (r *Ring) Left() (left int64) {
	c := r.cursor.Load()
	for range r.slots {
		n := r.slot(c).end.Load() - c
		if n-1 > r.spanMask {
			break
		}
		left += int64(n)
		c = r.behind(c)
	}
	return left
}
