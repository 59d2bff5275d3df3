package uid

import "context"

// take makes the next ids of a sequence, as many as wanted or fewer: n of them, from first on.
// The segment had nothing left.
func (s *sequence) take(ctx context.Context, want int) (first ID, n int, err error) {
	first, n, b := s.try(want)
	if b == nil {
		return first, n, nil
	}
	err = s.await(ctx, &s.queue, b, func() (b *block) {
		first, n, b = s.try(want)
		return b
	})
	return first, n, err
}

// try makes ids if there are any now.
func (s *sequence) try(want int) (first ID, n int, b *block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil { // it ends before Close ends the terms, which needs the lock
		return 0, 0, &block{err: ErrClosed}
	}
	cur := s.cur.Load()
	if held := s.held.Load(); s.last.Tick < 0 && cur.lease != held { // nothing was given out yet
		cur = s.newTerm(held)
		s.cur.Store(cur)
	}
	if v, n, ok := cur.claimUpTo(s.mono(), want); ok {
		return cur.id(v), n, nil // another call has opened a segment
	}
	s.stop()
	// The clocks are read after it is known what was given out. So if the wall clock shows an
	// earlier tick, it was set back; and a segment ends no later than its tick.
	c := call{source: s.source, s: s, lease: cur.lease, mono: s.mono(), wall: s.conf.Now()}
	if b := c.decide(); b != nil {
		b.now = c.wall
		return 0, 0, b
	}
	first, n = c.give(want)
	return first, n, nil
}

// give gives out the number that was decided on and those after it, as many as are wanted and
// as its tick holds. The rest of the tick becomes the next segment, if it is a tick for which the
// next call has nothing to decide.
func (c *call) give(want int) (first ID, n int) {
	s, last, cur := c.s, c.next, c.s.cur.Load()
	first = c.id(cur.lease, last)
	switch {
	case want == none:
		return first, 0
	case last.Seq < c.conf.MinSeq: // of the past: no track has it
		s.past.tick--
		s.taken++
		return first, 1
	}
	n = int(min(int64(want), c.layout.maxSeq()-last.Seq+1))
	last.Seq += int64(n - 1)
	if c.drift.borrowed > 0 && c.drift.borrowed == c.conf.borrow {
		n, last.Seq = 1, c.layout.maxSeq() // the last tick that is borrowed gives one id
	}
	if last.Turn != s.last.Turn { // the other track's numbers may be smaller
		s.other, cur = s.last, c.newTerm(cur.lease)
		s.cur.Store(cur)
	}
	s.last, s.drift, s.taken = last, c.drift, s.taken+int64(n)
	s.queue.progress.Store(int64(c.mono))
	width := min(c.conf.maxSegment, c.layout.start(last.Tick+1).Sub(c.wall))
	if left := c.layout.maxSeq() - last.Seq; left > 0 && width > 0 &&
		(last.Tick == c.now || c.drift != (drift{})) {
		cur.open(first+ID(int64(n)*c.fields.step()), left, c.mono+width)
	}
	return first, n
}

// id makes the id of a sequence's number.
func (s *source) id(h *heldLease, number Parts) ID {
	number.Worker = h.WorkerID()
	return s.fields.compose(number)
}
