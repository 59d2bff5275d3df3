package uid

import (
	"cmp"
	"context"

	"github.com/ringuid/ringuid/worker"
)

// CachedGenerator hands out ids from a ring that a background padder keeps full, as Baidu's
// CachedUidGenerator does: a take is one fetch-and-add, without a lock or a reading of the
// clock. Ids follow the clock, and run ahead of it when they are taken faster than the
// layout's ticks can hold: see Config.MaxAhead.
//
// The ids that one goroutine takes with GetUID increase, as do those of a batch and of a stream,
// unless the worker id changes in a layout that has it above the time ([WorkerTimeSequence]).
// All methods may be called from any number of goroutines.
type CachedGenerator struct {
	mint mint // a value, not a pointer: a take follows one pointer less
	core
}

func newCached(ctx context.Context, a worker.Assigner, c settings) (*CachedGenerator, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	shape, err := c.ringShape() // before a worker id is spent
	if err != nil {
		return nil, err
	}
	g := &CachedGenerator{}
	if err := g.open(ctx, a, c, cmp.Or(c.MaxAhead, anyAhead)); err != nil {
		return nil, err
	}
	g.mint.begin(&g.source, shape)
	g.startFollowing(&g.mint)
	return g, nil
}

// GetUID returns the ring's next id. When the ring is empty the reject-take
// policy decides; by default it waits until there is one, at most five seconds
// without progress. Errors wrap ErrRingEmpty, ErrTimeOver, ErrLeaseLost or
// ErrClosed, or are the policy's own.
func (g *CachedGenerator) GetUID() (ID, error) {
	begun := g.mint.ring.Begin()
	if id, ok := g.mint.ring.Number(begun); ok {
		return ID(id), nil
	}
	return g.mint.takeSlow(noContext, begun)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While the ring has
// ids it does not look at ctx.
func (g *CachedGenerator) GetUIDContext(ctx context.Context) (ID, error) {
	begun := g.mint.ring.Begin()
	if id, ok := g.mint.ring.Number(begun); ok {
		return ID(id), nil
	}
	return g.mint.takeSlow(ctx, begun)
}

// Stats returns a snapshot. It reads all slots of the ring, while the padder waits.
func (g *CachedGenerator) Stats() Stats {
	m := &g.mint
	s := g.stats(m.minted.Load())
	m.padder.Do(func() { // nothing is put or dropped meanwhile
		m.stop()
		s.RingSize, s.Left, s.Dropped = m.size(), m.ring.Left(), m.dropped
		s.Taken = m.put - s.Left - s.Dropped
		s.Refills, s.RejectedPuts, s.Discarded = m.refills, m.rejectedPuts, m.discarded
	})
	if next, ok, _ := m.ring.Front(); ok {
		s.Ahead = g.layout.tickStart(m.tickOf(next)).Add(g.layout.Unit).Sub(g.conf.Now())
	}
	return s
}
