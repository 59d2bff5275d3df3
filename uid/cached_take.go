package uid

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/ringuid/ringuid/ringbuffer"
)

// takeSlow is a take of one id that begun could not end.
func (m *mint) takeSlow(ctx context.Context, begun ringbuffer.Attempt) (ID, error) {
	id, n, low := m.ring.Take(begun, 1)
	if low {
		m.low()
	}
	if n == 0 {
		first, _, err := m.refused(ctx, 1)
		return first, err
	}
	return ID(id), nil
}

// low wakes the padder. If a take may be rejected, the padder goes first, as it
// must on a single CPU.
func (m *mint) low() {
	m.padder.Wake()
	if m.conf.RejectTake != nil {
		runtime.Gosched()
	}
}

// span takes up to limit ids of one span out of the ring: n of them, from first
// on.
func (m *mint) span(ctx context.Context, limit int) (first ID, n int, err error) {
	first, n, ok := m.trySpan(limit)
	if !ok {
		return m.refused(ctx, limit)
	}
	return first, n, nil
}

// trySpan is span without waiting; false when the ring is empty.
func (m *mint) trySpan(limit int) (first ID, n int, ok bool) {
	if limit == none {
		_, ok, _ = m.ring.Front()
		return 0, 0, ok
	}
	number, n, low := m.ring.Take(ringbuffer.Attempt{}, limit)
	if low {
		m.low()
	}
	return ID(number), n, n > 0
}

func (m *mint) ready() *block {
	_, _, b := m.try(none)
	return b
}

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = errors.New("the padder is refilling it")

// emptyFor returns the reason of a reject; why is what holds the padder back.
func emptyFor(why error) error { return fmt.Errorf("%w: %w", ErrRingEmpty, why) }

// refused gets up to limit ids of one span for a take that found the ring empty.
func (m *mint) refused(ctx context.Context, limit int) (first ID, n int, err error) {
	try := func() (b *block) {
		first, n, b = m.try(limit)
		return b
	}
	if b := try(); b != nil {
		err = m.await(ctx, &m.queue, b, try)
	}
	return first, n, err
}

// try takes up to limit ids of one span, and refills the ring if there are none, as after a
// time without takes. If limit is none, it only says whether there are ids, or may be.
func (m *mint) try(limit int) (first ID, n int, b *block) {
	if m.life.Err() != nil {
		return 0, 0, &block{err: ErrClosed}
	}
	if limit > none {
		m.padder.Help()
	}
	first, n, ok := m.trySpan(limit)
	if ok {
		return first, n, nil
	}
	b = m.blocked() // before the ring is looked at: nothing is put after it
	if first, n, ok = m.trySpan(limit); ok || b == nil && limit == none {
		return first, n, nil
	}
	if b == nil { // others were faster
		now := m.conf.Now()
		b = &block{err: emptyFor(errRefilling), now: now, until: now}
	}
	return 0, 0, b
}

// blocked says what keeps a tick from being minted now, whether or not the ring has room for
// it; nil when one may be.
func (m *mint) blocked() (b *block) {
	// Before looking, so that no change is missed.
	changed := m.grants.Next()
	b = &block{err: emptyFor(errRefilling), changed: changed} // after a panic
	defer m.rescue(minting)
	m.padder.Do(func() {
		m.now = m.conf.Now()
		if m.leftover.n > 0 {
			b = nil
		} else if _, w := m.next(); w == nil {
			b = nil
		} else if w.final {
			b = &block{err: w.err}
		} else {
			b = &block{err: emptyFor(w.err), now: m.now, until: w.until, changed: changed}
		}
	})
	return b
}
