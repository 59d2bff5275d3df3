package ringbuffer

import "math"

// What is compared here are numbers without their frames, see Init.

// Skip removes the first slot if its last number is at most this one, and returns how
// many numbers were removed.
func (r *Ring) Skip(number int64) (skipped int64) {
	for {
		at, end, there := r.front()
		if !there || r.number(r.last(end)) > number {
			return 0
		}
		skipped = r.shut(at, end)
		if skipped > 0 { // else it was used up, and the cursor still there
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
		flushed += r.shut(at, end)
	}
}

// shut closes the slot that the cursor is at, moves the cursor on, and returns how many
// numbers were left. A take that has read the slot but not yet added gets nothing.
func (r *Ring) shut(at, end uint64) (left int64) {
	left = count(r.slot(at>>1).next.Swap(closed), r.last(end))
	r.cursor.CompareAndSwap(at, r.place(at>>1+1)) // the mark stays: whoever shuts is the producer
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

// Seal makes all numbers stale, including those that are put later.
func (r *Ring) Seal() { r.expire(math.MaxInt64) }

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
