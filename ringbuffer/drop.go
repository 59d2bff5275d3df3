package ringbuffer

// Drop removes the numbers up to this one, and returns how many it removed. From then on all
// numbers up to this one that were ever put are stale: a caller that took a span and has not
// handed out all of it compares each number with Stale, and must drop the stale ones. Numbers
// that are put later are not stale, even if number is higher, as it is when a clock was ahead
// for a moment. Numbers are compared without their frames, see Init.
func (r *Ring) Drop(number int64) (dropped int64) {
	number = min(number, r.highest())
	r.stale.Store(max(number, r.stale.Load())) // only the producer stores it
	for {
		at, end, there := r.front()
		if !there || number < 0 {
			return dropped
		}
		s, last := r.slot(at), r.last(end)
		v := min(last, uint64(number)>>(r.spacing&63))
		dropped += s.drop(v)
		if v < last {
			return dropped
		}
		r.cursor.CompareAndSwap(at, r.after(at)) // the mark stays: the caller is the producer
	}
}

// drop removes the numbers up to v, in steps, and returns how many it removed. A take that has
// read the slot but not yet added gets none of them. A swap fails only if a take got a number,
// so few do.
func (s *slot) drop(v uint64) int64 {
	for {
		next := s.next.Load()
		if next > v {
			return 0
		}
		if s.next.CompareAndSwap(next, v+1) { // a counter never goes back
			return int64(v - next + 1)
		}
	}
}

// highest returns the highest number that was ever put, -1 for none. Like Put, it is for the
// producer alone.
func (r *Ring) highest() int64 {
	t := r.tail.Load()
	if t == r.size {
		return -1
	}
	return r.number(r.last(r.slot(r.place(t - 1)).end.Load()))
}

// Stale returns the highest number that must no longer be handed out, -1 for none. It only
// increases; numbers do too, so those put later are above it.
func (r *Ring) Stale() int64 { return r.stale.Load() }
