package uid

import (
	"context"
	"errors"
	"fmt"
)

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = errors.New("the padder is refilling it")

// emptyFor returns the reason of a reject; why is what holds the padder back.
func emptyFor(why error) error { return fmt.Errorf("%w: %w", ErrRingEmpty, why) }

// refused gets up to limit ids of one span for a take that found the ring empty.
func (g *CachedGenerator) refused(ctx context.Context, limit int) (first ID, n int, err error) {
	try := func() (b *block) {
		first, n, b = g.try(limit)
		return b
	}
	if b := try(); b != nil {
		err = g.await(ctx, &g.line, b, try)
	}
	return first, n, err
}

// try takes up to limit ids of one span, and refills the ring if there are none, as after a
// time without takes. If limit is none, it only says whether there are ids, or may be.
func (g *CachedGenerator) try(limit int) (first ID, n int, b *block) {
	if g.life.Err() != nil {
		return 0, 0, &block{err: ErrClosed}
	}
	if limit > none {
		g.padder.Help()
	}
	first, n, ok := g.trySpan(limit)
	if ok {
		return first, n, nil
	}
	b = g.blocked() // before the ring is looked at: nothing is put after it
	if first, n, ok = g.trySpan(limit); ok || b == nil && limit == none {
		return first, n, nil
	}
	if b == nil { // others were faster
		now := g.c.Now()
		b = &block{err: emptyFor(errRefilling), now: now, until: now}
	}
	return 0, 0, b
}

// blocked says what keeps a tick from being minted now, whether or not the ring has room for
// it; nil when one may be.
func (g *CachedGenerator) blocked() (b *block) {
	// Before looking, so that no change is missed.
	changed := g.grants.Next()
	b = &block{err: emptyFor(errRefilling), changed: changed} // after a panic
	defer g.rescue(minting)
	g.padder.Do(func() {
		m := g.mint
		m.now = m.c.Now()
		if m.rest.n > 0 {
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
