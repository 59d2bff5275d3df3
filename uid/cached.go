package uid

import (
	"cmp"
	"context"

	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
)

// CachedGenerator makes an id when it is taken, of the present tick: a take reads the monotonic
// clock and does one fetch-and-add, and the first in a millisecond takes a lock. In bursts, of
// more than 256 takes in each of eight milliseconds, ids come from a ring that a background
// padder fills, as in Baidu's CachedUidGenerator: then a take is one fetch-and-add, and reads no
// clock. Ids run ahead of the clock when they are taken faster than the layout's ticks can hold:
// see Config.MaxAhead.
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

// GetUID returns the ring's next id or, if the ring is empty, makes one of the present tick. When
// none may be made the reject-take policy decides; by default GetUID waits until there is one, at
// most five seconds without progress. Errors wrap ErrRingEmpty, ErrTimeOver, ErrLeaseLost or
// ErrClosed, or are the policy's own.
func (g *CachedGenerator) GetUID() (ID, error) {
	dealt := g.dealt.Load()
	begun := g.mint.ring.Begin()
	if id, ok := g.mint.ring.Number(begun); ok && g.generation.Load() == dealt {
		return ID(id), nil
	}
	return g.takeSlow(noContext, begun, dealt)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While there are ids it does not look at
// ctx.
func (g *CachedGenerator) GetUIDContext(ctx context.Context) (ID, error) {
	dealt := g.dealt.Load()
	begun := g.mint.ring.Begin()
	if id, ok := g.mint.ring.Number(begun); ok && g.generation.Load() == dealt {
		return ID(id), nil
	}
	return g.takeSlow(ctx, begun, dealt)
}

// takeSlow is a take of one id that begun could not end. dealt was read before it began: another
// goroutine may have dealt with a copy of the machine since, and begun may have taken an id.
func (g *CachedGenerator) takeSlow(ctx context.Context, begun ringbuffer.Attempt, dealt uint64) (ID,
	error) {
	for ; ; dealt = g.deal() {
		id, err := g.mint.takeSlow(ctx, begun)
		if g.generation.Load() == dealt {
			return id, err
		}
		begun = ringbuffer.Attempt{}
	}
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
