package uid

import (
	"context"
	"iter"

	"github.com/ringuid/ringuid/ringbuffer"
)

// Stream hands out ids to one goroutine, without a shared write for each: it takes spans
// of up to 256 ids out of the ring. Its ids increase, as those of GetUID do. They are in no
// order relative to those of other streams, batches and GetUID.
//
// A stream must not be used by two goroutines at once, nor copied. It need not be closed:
// ids that it holds and never hands out are lost, at no other cost. It loses fewer than it
// hands out, so that many slow streams use up at most twice the ids that are taken.
type Stream struct {
	_          noCopy
	next, last int64 // what is left of the span, as the ring counts: next, next+step ... last; none when next > last
	frame      int64 // the other bits of its ids
	step       int64
	size       int // of the span that it asked for last; 0: none yet
	ring       *ringbuffer.Ring
	g          *CachedGenerator
}

// heldSpan is the most ids that a stream, or a CPU with Config.Relaxed, holds. Longer
// ones would be refilled more rarely, and become older while they are held.
const heldSpan = 256

// holds is how many ids they hold in this layout: no more than a tick has, or what others
// take meanwhile would be of the future.
func (m *mint) holds() int { return int(min(heldSpan, m.ids)) }

// nextSize is how many ids to ask for after a span of this size: twice as many when it was
// used up, and one when the rest of it became stale. So whoever holds ids loses fewer than
// it hands out: of a span of n at most n-1, which is 1+2+...+n/2, used up before. A hundred
// slow streams that took whole spans would use up the ids of three seconds in one.
func (m *mint) nextSize(size int, usedUp bool) int {
	if !usedUp || size == 0 {
		return 1
	}
	return min(2*size, m.holds())
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

// Stream makes a stream of the generator's ids.
func (g *CachedGenerator) Stream() *Stream {
	return &Stream{last: -1, step: g.fields.step(), ring: &g.ring, g: g}
}

// GetUID returns the stream's next id. Errors, and how it waits, are those of
// CachedGenerator.GetUID.
func (s *Stream) GetUID() (ID, error) {
	// What was put before a flush, or is too old, or was left when the generator
	// closed, is stale: one load of a word that hardly ever changes. So is the
	// negative number that follows the largest id there is.
	if id := s.next; id <= s.last && id > s.ring.Stale() {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	return s.refill(noContext)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While the ring or the
// stream has ids it does not look at ctx.
func (s *Stream) GetUIDContext(ctx context.Context) (ID, error) {
	if id := s.next; id <= s.last && id > s.ring.Stale() {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	return s.refill(ctx)
}

// refill hands out the first id that is not stale, or of another span.
func (s *Stream) refill(ctx context.Context) (ID, error) {
	if id, ok := fresh(s.next, s.last, s.step, s.ring.Stale()); ok {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	size := s.g.mint.nextSize(s.size, s.next > s.last)
	first, n, err := s.g.span(ctx, size)
	if err != nil {
		return 0, err // takes that fail use nothing up, and what was stale stays so
	}
	s.size = size
	counted := first & s.g.fields.counted
	s.next, s.last, s.frame = counted+s.step, counted+int64(n-1)*s.step, first&^counted
	return ID(first), nil
}

// All yields ids until the caller stops, or an error and nothing after it.
func (s *Stream) All() iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for {
			id, err := s.GetUID()
			if !yield(id, err) || err != nil {
				return
			}
		}
	}
}
