package uid

import (
	"context"

	"github.com/ringuid/ringuid/internal/cacheline"
	"github.com/ringuid/ringuid/internal/percpu"
)

// shards are spans in front of the ring, one per CPU, for Config.Relaxed: a take
// is a plain increment of what only the pinned goroutine can see. They hang on
// the generator, so the garbage collector takes no id away, and what a CPU that
// is no longer used holds becomes stale like any other id.
type shards struct {
	set   percpu.Set
	cells []shard
	step  int64 // from one id of a span to the next
}

// shard is what a CPU holds.
type shard struct {
	holding
	_ [2*cacheline.Size - 5*8]byte // a whole number of lines, so that no shard lies in two
}

func newShards(step int64) *shards {
	set := percpu.New()
	r := &shards{set: set, cells: make([]shard, set.Len()), step: step}
	for i := range r.cells {
		r.cells[i].init()
	}
	return r
}

// takeShard hands out the next id of the span of the CPU that the caller runs on,
// and takes another span for it when there is none that is not stale. When the
// ring is empty, or the CPU has no shard, it takes from the ring.
func (g *CachedGenerator) takeShard(ctx context.Context) (ID, error) {
	r := g.shards
	cpu := r.set.Pin()
	if uint(cpu) >= uint(len(r.cells)) {
		r.set.Unpin(cpu)
		return g.takeRing(ctx)
	}
	c := &r.cells[cpu]
	if id, ok := fresh(c.next, c.last, r.step, g.ring.Stale()); ok {
		c.next = id + r.step
		id |= c.frame
		r.set.Unpin(cpu)
		return ID(id), nil
	}
	// Still pinned: taking a span neither blocks nor allocates.
	size := g.mint.nextSize(int(c.size), c.next > c.last)
	first, n, low := g.ring.TakeSpan(size)
	if n > 0 {
		c.hold(first, n, size, &g.fields)
	}
	r.set.Unpin(cpu)
	if low {
		g.low()
	}
	if n == 0 {
		return g.takeRing(ctx)
	}
	return ID(first), nil
}
