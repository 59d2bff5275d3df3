package uid

// heldSpan is the most ids that a stream, or a CPU with Config.Relaxed, holds. Longer
// ones would be refilled more rarely, and become older while they are held.
const heldSpan = 256

// nextSize is how many ids to ask for after a span of this size: twice as many when it was
// used up, and one when the rest of it became stale. So whoever holds ids loses fewer than
// it hands out: of a span of n at most n-1, which is 1+2+...+n/2, used up before. A hundred
// slow streams that took whole spans would use up the ids of three seconds in one.
func nextSize(size int, usedUp bool) int {
	if !usedUp || size == 0 {
		return 1
	}
	return min(2*size, heldSpan)
}

// holding is what is left of a span that a stream, or a CPU with Config.Relaxed, took:
// next, next+step ... last, as the ring counts; none when next > last.
type holding struct {
	next, last int64
	frame      int64 // the other bits of its ids
	size       int64 // of the span that it asked for last; 0: none yet
}

// hold begins with another span, whose first id is handed out.
func (h *holding) hold(first int64, n, size int, f *fields) {
	counted := first & f.counted
	h.next, h.last = counted+f.step(), counted+int64(n-1)*f.step()
	h.frame, h.size = first&^counted, int64(size)
}
