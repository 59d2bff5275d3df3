package uid

import "context"

// Stream hands out ids to one goroutine, without a shared write for each: it takes spans
// of up to 256 ids out of the ring. Its ids increase, as those of GetUID do. They are in no
// order relative to those of other streams, batches and GetUID.
//
// A stream must not be used by two goroutines at once, nor copied. It need not be closed: ids
// that it holds and never hands out are lost, at no other cost. It loses fewer than it hands
// out, so many slow streams use up at most twice the ids that are taken.
type Stream struct {
	// What is left of the span that was taken last is next, next+step ... last, as the
	// ring counts; nothing when next > last.
	next, last int64
	step       int64
	frame      int64 // the other bits of its ids
	size       int64 // of the last span that was as long as it was to be; 0: none yet

	g       *CachedGenerator
	counted int64  // the bits that are not the frame
	dealt   uint64 // the generation that was dealt with before the span was taken

	// The stream fills up a cache line, which no other stream shares.
}

// Stream makes a stream of the generator's ids.
func (g *CachedGenerator) Stream() *Stream {
	return &Stream{step: g.fields.step(), last: -1, g: g, counted: g.fields.counted}
}

// GetUID returns the stream's next id. Errors, and how it waits, are those of
// CachedGenerator.GetUID.
func (s *Stream) GetUID() (ID, error) {
	// Ids are stale if they were put before a flush, are too old, or were left when the generator
	// closed. Seeing that takes one load of a word that hardly ever changes. The negative number
	// that follows the largest possible id is stale, too. The generation is looked at last.
	g, step := s.g, s.step
	if id := s.next; id <= s.last {
		stale, generation := g.mint.ring.Stale(), g.generation.Load()
		if id > stale && generation == s.dealt {
			s.next += step
			return ID(id | s.frame), nil
		}
	}
	return s.refill(noContext)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While the ring or the
// stream has ids it does not look at ctx.
func (s *Stream) GetUIDContext(ctx context.Context) (ID, error) {
	return s.refill(ctx)
}

// refill hands out the next id that is not stale, from another span if there is none.
func (s *Stream) refill(ctx context.Context) (ID, error) {
	for dealt := s.g.dealt.Load(); ; dealt = s.g.deal() {
		id, err := s.take(ctx, dealt)
		if s.g.generation.Load() == dealt {
			return id, err
		}
	}
}

func (s *Stream) take(ctx context.Context, dealt uint64) (ID, error) {
	m := &s.g.mint
	if id := s.next; id <= s.last && id > m.ring.Stale() {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	s.dealt = dealt
	size := m.nextSize(int(s.size), s.next > s.last)
	first, n, err := m.takeSpan(ctx, size, 1)
	if err != nil {
		return 0, err // takes that fail use nothing up, and what was stale stays so
	}
	number := int64(first) & s.counted
	s.next, s.last = number+s.step, number+int64(n-1)*s.step
	s.frame = int64(first) &^ s.counted
	if n == size { // else it was the end of a slot, or made for this call
		s.size = int64(size)
	}
	return first, nil
}

// maxStreamSpan is the most ids that a stream holds. Longer spans would be refilled less often, and
// get older while they are held.
const maxStreamSpan = 256

// nextSize returns how many ids to ask for after a span of this size: twice as many when it was
// used up, and one when what was left of it became stale. So a stream loses fewer ids than it
// hands out: of a span of n at most n-1, which is the 1+2+...+n/2 that it used up before. The size
// is at most a tick's ids: otherwise what others take meanwhile would be of the future.
func (m *mint) nextSize(size int, usedUp bool) int {
	if !usedUp || size == 0 {
		return 1
	}
	return int(min(2*int64(size), maxStreamSpan, m.ids))
}
