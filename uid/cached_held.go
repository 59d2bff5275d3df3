package uid

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// heldSpan is the most ids that a stream, or a CPU with Config.Relaxed, holds. Longer
// ones would be refilled more rarely, and become older while they are held.
const heldSpan = 256

// nextSize is how many ids to ask for after a span of this size: twice as many when it was
// used up, and one when the rest of it became stale. So whoever holds ids loses fewer than
// it hands out: of a span of n at most n-1, which is 1+2+...+n/2, used up before. A hundred
// slow streams that took whole spans would use up the ids of three seconds in one. It is no
// more than a tick has, or what others take meanwhile would be of the future.
func (m *mint) nextSize(size int, usedUp bool) int {
	if !usedUp || size == 0 {
		return 1
	}
	return int(min(2*int64(size), heldSpan, m.ids))
}

// holding is what is left of a span that a stream, or a CPU with Config.Relaxed, took:
// next, next+step ... last, as the ring counts; none when next > last.
type holding struct {
	next, last int64
	frame      int64 // the other bits of its ids
	size       int64 // of the span that it asked for last; 0: none yet

	// held is last, for Stats, which may look at any time; -1: no span yet. One word, so
	// that what is looked at is of one span.
	held atomic.Int64
}

func (h *holding) init() {
	h.last = -1
	h.held.Store(-1)
}

// hold begins with another span, whose first id is handed out.
func (h *holding) hold(first int64, n, size int, f *fields) {
	counted := first & f.counted
	h.next, h.last = counted+f.step(), counted+int64(n-1)*f.step()
	h.frame, h.size = first&^counted, int64(size)
	h.held.Store(h.last)
}

// streams are those that were made and are not garbage yet: nobody closes them.
type streams struct {
	mu  sync.Mutex
	all []weak.Pointer[Stream]
}

func (l *streams) add(s *Stream) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == cap(l.all) {
		l.all = slices.DeleteFunc(l.all, func(p weak.Pointer[Stream]) bool { return p.Value() == nil })
		l.all = slices.Grow(l.all, len(l.all)+1) // as many again: each add looks at two, on average
	}
	l.all = append(l.all, weak.Make(s))
}

// oldestHeld is the lowest last number of the spans that streams and CPUs took last, without
// those that are stale; math.MaxInt64 for none. Nobody but its holder sees how much of a span
// is left, so one that was used up counts, too.
func (g *CachedGenerator) oldestHeld() int64 {
	oldest, stale := int64(math.MaxInt64), g.ring.Stale()
	look := func(h *holding) {
		if last := h.held.Load(); last > stale {
			oldest = min(oldest, last)
		}
	}
	if g.shards != nil {
		for i := range g.shards.cells {
			look(&g.shards.cells[i].holding)
		}
	}
	g.streams.mu.Lock()
	defer g.streams.mu.Unlock()
	for _, p := range g.streams.all {
		if s := p.Value(); s != nil {
			look(&s.holding)
		}
	}
	return oldest
}

// fresh is the first number of next, next+step ... last that is not stale, if there is
// one: a span may run over ticks, of which some are too old. A next that is negative
// follows the largest number there is.
func fresh(next, last, step, stale int64) (int64, bool) {
	if 0 <= next && next <= stale && stale < last {
		next = (stale | (step - 1)) + 1 // numbers are multiples of the step
	}
	return next, next <= last && next > stale
}
