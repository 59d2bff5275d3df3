package uid

import "context"

// Stream hands out ids to one goroutine, without a shared write for each: it takes spans
// of up to 256 ids out of the ring. Its ids increase, as those of GetUID do. They are in no
// order relative to those of other streams, batches and GetUID.
//
// A stream must not be used by two goroutines at once, nor copied. It need not be closed:
// ids that it holds and never hands out are lost, at no other cost. It loses fewer than it
// hands out, so that many slow streams use up at most twice the ids that are taken.
type Stream struct {
	holding
	step int64
	g    *CachedGenerator
	_    int64 // with which it fills a cache line, that it shares with no other stream
}

// Stream makes a stream of the generator's ids.
func (g *CachedGenerator) Stream() *Stream {
	s := &Stream{step: g.fields.step(), g: g}
	s.init()
	g.streams.add(s)
	return s
}

// GetUID returns the stream's next id. Errors, and how it waits, are those of
// CachedGenerator.GetUID.
func (s *Stream) GetUID() (ID, error) {
	// What was put before a flush, or is too old, or was left when the generator
	// closed, is stale: one load of a word that hardly ever changes. So is the
	// negative number that follows the largest id there is.
	if id := s.next; id <= s.last && id > s.g.ring.Stale() {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	return s.refill(noContext)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While the ring or the
// stream has ids it does not look at ctx.
func (s *Stream) GetUIDContext(ctx context.Context) (ID, error) {
	return s.refill(ctx)
}

// refill hands out the next id that is not stale, of another span if there is none.
func (s *Stream) refill(ctx context.Context) (ID, error) {
	if id, ok := fresh(s.next, s.last, s.step, s.g.ring.Stale()); ok {
		s.next = id + s.step
		return ID(id | s.frame), nil
	}
	size := s.g.mint.nextSize(int(s.size), s.next > s.last)
	first, n, err := s.g.span(ctx, size)
	if err != nil {
		return 0, err // takes that fail use nothing up, and what was stale stays so
	}
	s.hold(first, n, size, &s.g.fields)
	return ID(first), nil
}
