package ringbuffer

// What is compared here are numbers without their frames, see Init.

// Skip removes the first slot's numbers up to this one, and returns how many those were.
// 0: the lowest number in the ring, if any, is higher.
func (r *Ring) Skip(number int64) (skipped int64) {
	for {
		at, end, there := r.front()
		if !there || number < 0 {
			return 0
		}
		v := min(r.last(end), uint64(number)>>(r.spacing&63))
		skipped = r.drop(at, end, v)
		if skipped > 0 || v < r.last(end) { // else it was used up, and the cursor still there
			return skipped
		}
	}
}

// Flush removes everything that was put, and returns how many numbers were removed. From
// then on all numbers that were ever put are stale.
func (r *Ring) Flush() (flushed int64) {
	r.expire(r.highest())
	for {
		at, end, there := r.front()
		if !there {
			return flushed
		}
		flushed += r.drop(at, end, r.last(end))
	}
}

// drop removes the numbers up to v, in steps, from the slot that the cursor is at, moves
// the cursor on if none is left, and returns how many were removed. A take that has read
// the slot but not yet added gets none of them. Each swap that fails is for a take that
// got a number, so there are few.
func (r *Ring) drop(at, end, v uint64) (dropped int64) {
	s := r.slot(at >> 1)
	for {
		next := s.next.Load()
		if next > v {
			break
		}
		if s.next.CompareAndSwap(next, v+1) { // a counter never goes back
			dropped = int64(v - next + 1)
			break
		}
	}
	if v == r.last(end) {
		r.cursor.CompareAndSwap(at, r.place(at>>1+1)) // the mark stays: whoever drops is the producer
	}
	return dropped
}

// highest is the highest number that was ever put, -1 for none. Like Put, it is
// the producer's alone.
func (r *Ring) highest() int64 {
	t := r.tail.Load()
	if t == r.mask+1 {
		return -1
	}
	return r.number(r.last(r.slot(t - 1).end.Load()))
}

// Expire makes all numbers up to this one that were ever put stale: whoever took a span
// and has not handed out all of it compares each number with Stale, and must drop the
// rest. Numbers that are put later are not stale, even if number is higher, as it is when
// a clock was ahead for a moment.
func (r *Ring) Expire(number int64) { r.expire(min(number, r.highest())) }

func (r *Ring) expire(number int64) {
	for {
		was := r.stale.Load()
		if number <= was || r.stale.CompareAndSwap(was, number) {
			return
		}
	}
}

// Stale is the highest number that must no longer be handed out, -1 for none. It only
// increases; numbers do too, so those put later are above it.
func (r *Ring) Stale() int64 { return r.stale.Load() }
