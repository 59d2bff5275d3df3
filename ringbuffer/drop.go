package ringbuffer

import "math"

// Skip takes the first slot out if its last number is at most this one, and
// returns how many numbers that were.
func (r *Ring) Skip(number int64) (skipped int64) {
	for {
		p := r.cursor.Load()
		s := r.slot(p)
		if s.pos.Load() != p || r.number(s.last.Load()) > number {
			return 0
		}
		skipped = r.shut(p)
		if skipped > 0 {
			return skipped
		}
	}
}

// Flush takes out all that was put, and returns how many numbers that were. All
// numbers that were ever put are stale from then on.
func (r *Ring) Flush() (flushed int64) {
	r.expire(r.highest())
	for {
		p := r.cursor.Load()
		s := r.slot(p)
		if s.pos.Load() != p {
			return flushed
		}
		flushed += r.shut(p)
	}
}

// shut closes the slot that the cursor is at, moves the cursor on, and returns how
// many numbers were left. A take that has looked and not added yet gets nothing.
func (r *Ring) shut(p uint64) (left int64) {
	s := r.slot(p)
	left = count(s.next.Swap(closed), s.last.Load())
	r.cursor.CompareAndSwap(p, p+1) // the mark stays: whoever flushes is the producer
	return left
}

// count is how many numbers there are from next to last.
func count(next, last uint64) int64 {
	if next > last {
		return 0
	}
	return int64(last - next + 1)
}

// highest is the highest number that was ever put, -1 for none. Like Put, it is
// the producer's alone.
func (r *Ring) highest() int64 {
	t := r.tail.Load()
	if t == 1 {
		return -1
	}
	return r.number(r.slot(t - 1).last.Load())
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
