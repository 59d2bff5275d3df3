package uid

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringuid/ringuid/ringbuffer"
)

// takeSlow is a take of one id that begun could not end.
func (m *mint) takeSlow(ctx context.Context, begun ringbuffer.Attempt) (ID, error) {
	id, n, low := m.ring.Take(begun, 1)
	if low {
		m.padder.Wake()
	}
	if n > 0 {
		return ID(id), nil
	}
	now, cur := m.mono(), m.cur.Load()
	if v, last := cur.claim(now); v <= last {
		return cur.id(v), nil
	}
	first, _, err := m.refused(ctx, 1, 1)
	return first, err
}

func (m *mint) span(ctx context.Context, limit int) (first ID, n int, err error) {
	return m.takeSpan(ctx, limit, limit)
}

// takeSpan takes up to limit ids that lie in a row out of the ring or, if that is empty, makes up
// to made of them: n, from first on.
func (m *mint) takeSpan(ctx context.Context, limit, made int) (first ID, n int, err error) {
	if first, n, ok := m.trySpan(limit, made); ok {
		return first, n, nil
	}
	return m.refused(ctx, limit, made)
}

// trySpan is takeSpan without a lock; false when the ring and the segment are empty.
func (m *mint) trySpan(limit, made int) (first ID, n int, ok bool) {
	number, n, low := m.ring.Take(ringbuffer.Attempt{}, limit)
	if low {
		m.padder.Wake()
	}
	if n > 0 {
		return ID(number), n, true
	}
	return m.claim(made)
}

func (m *mint) ready() *block {
	_, _, b := m.try(none, none)
	return b
}

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = errors.New("the padder is refilling it")

// emptyFor returns the reason of a reject; why is what holds the padder back.
func emptyFor(why error) error { return fmt.Errorf("%w: %w", ErrRingEmpty, why) }

// refused is takeSpan for a take that found no ids.
func (m *mint) refused(ctx context.Context, limit, made int) (first ID, n int, err error) {
	try := func() (b *block) {
		first, n, b = m.try(limit, made)
		return b
	}
	if b := try(); b != nil {
		err = m.await(ctx, &m.queue, b, try)
	}
	return first, n, err
}

// try is takeSpan without waiting, inside the critical section. If limit is none, it only says
// whether there are ids, or may be.
func (m *mint) try(limit, made int) (first ID, n int, b *block) {
	// Before looking, so that no change is missed.
	changed := m.grants.Next()
	b = &block{err: emptyFor(errRefilling), changed: changed} // after a panic
	m.waiting.Add(1)
	defer m.waiting.Add(-1)
	defer m.rescue(minting)
	m.padder.Do(func() {
		var why *pause
		if m.life.Err() != nil { // it ends before Close drops what there is, which needs the lock
			b = &block{err: ErrClosed}
			return
		} else if limit == none {
			why = m.blocked()
		} else {
			first, n, why = m.make(limit, made)
		}
		switch {
		case why == nil:
			b = nil
		case why.final:
			b = &block{err: why.err}
		default:
			b = &block{err: emptyFor(why.err), now: m.now, until: why.until, changed: changed}
		}
	})
	return first, n, b
}
