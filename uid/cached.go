package uid

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/ringbuffer"
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
	ring ringbuffer.Ring // a value, not a pointer: a take follows one pointer less

	core
	padder padding.Padder
	mint   *mint
	line   line
}

// New makes the generator to use: a [CachedGenerator] that is right for everybody. It acquires a
// worker id, fills the ring and starts the padder. With a worker id that is not fenced, the first
// ids are those of the next tick: see Config.AllowRepeats. ctx bounds only the start. Errors wrap
// ErrConfig, ErrLayout, ErrTimeOver, ErrWorkerID, or come from the assigner.
func New(ctx context.Context, a worker.Assigner, c Config) (*CachedGenerator, error) {
	return newCached(ctx, a, c.settings())
}

// NewCached is Baidu's CachedUidGenerator, with its settings, and with its bits unless you set
// others. It is [New] otherwise.
func NewCached(ctx context.Context, a worker.Assigner, c CachedConfig) (*CachedGenerator, error) {
	return newCached(ctx, a, c.settings())
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
	if err := g.open(ctx, g, a, c, cmp.Or(c.MaxAhead, anyAhead)); err != nil {
		return nil, err
	}
	err = g.ring.Init(int(shape.slots), int(shape.perSlot), g.fields.seq.shift, g.fields.counted)
	if err != nil {
		panic("uid: " + err.Error()) // no setting makes such a shape
	}
	g.mint = newMint(g, shape)
	g.line.begin()
	g.padder.Start(g.mint, c.ScheduleInterval)
	g.startFollowing()
	return g, nil
}

// GetUID returns the ring's next id. When the ring is empty the reject-take
// policy decides; by default it waits until there is one, at most five seconds
// without progress. Errors wrap ErrRingEmpty, ErrTimeOver, ErrLeaseLost or
// ErrClosed, or are the policy's own.
func (g *CachedGenerator) GetUID() (ID, error) {
	begun := g.ring.Begin()
	if id, ok := g.ring.Number(begun); ok {
		return ID(id), nil
	}
	return g.getSlow(noContext, begun)
}

// GetUIDContext is GetUID, but waits as long as ctx lasts. While the ring has
// ids it does not look at ctx.
func (g *CachedGenerator) GetUIDContext(ctx context.Context) (ID, error) {
	begun := g.ring.Begin()
	if id, ok := g.ring.Number(begun); ok {
		return ID(id), nil
	}
	return g.getSlow(ctx, begun)
}

func (g *CachedGenerator) getSlow(ctx context.Context, begun ringbuffer.Attempt) (ID, error) {
	id, n, low := g.ring.Take(begun, 1)
	if low {
		g.low()
	}
	if n == 0 {
		first, _, err := g.refused(ctx, 1)
		return first, err
	}
	return ID(id), nil
}

// low wakes the padder. If a take may be rejected, the padder goes first, as it
// must on a single CPU.
func (g *CachedGenerator) low() {
	g.padder.Wake()
	if g.c.RejectTake != nil {
		runtime.Gosched()
	}
}

// span takes up to limit ids of one span out of the ring: n of them, from first
// on.
func (g *CachedGenerator) span(ctx context.Context, limit int) (first ID, n int, err error) {
	first, n, ok := g.trySpan(limit)
	if !ok {
		return g.refused(ctx, limit)
	}
	return first, n, nil
}

// trySpan is span without waiting; false when the ring is empty.
func (g *CachedGenerator) trySpan(limit int) (first ID, n int, ok bool) {
	if limit == none {
		_, ok, _ = g.ring.Front()
		return 0, 0, ok
	}
	number, n, low := g.ring.Take(ringbuffer.Attempt{}, limit)
	if low {
		g.low()
	}
	return ID(number), n, n > 0
}

func (g *CachedGenerator) ready() *block {
	_, _, b := g.try(none)
	return b
}

// stop drops what there is, also what streams hold, and nothing is put from that moment on.
func (g *CachedGenerator) stop() { g.change(true, g.padder.Close) }

// change also forgets the rest that has not been put: the lease may no longer grant it.
func (g *CachedGenerator) change(drop bool, do func()) (last int64) {
	defer g.padder.Wake()
	g.padder.Do(func() {
		g.mint.rest, g.mint.pause = rest{}, nil // first: do calls code that is not ours
		last = g.lastMinted()
		do()
		if drop {
			g.mint.dropped += g.ring.Drop(math.MaxInt64)
		}
	})
	return last
}

func (g *CachedGenerator) grantChanged()     { g.grants.Send(); g.padder.Wake() }
func (g *CachedGenerator) lastMinted() int64 { return g.mint.minted.Load() }

func (g *CachedGenerator) count(s *Stats) {
	m := g.mint
	g.padder.Do(func() { // nothing is put or dropped meanwhile
		s.RingSize, s.Left, s.Dropped = m.size(), g.ring.Left(), m.dropped
		s.Taken = m.put - s.Left - s.Dropped
		s.Refills, s.RejectedPuts, s.Discarded = m.refills, m.rejectedPuts, m.discarded
	})
	now := g.c.Now()
	age := func(number int64) time.Duration { // since its tick ended
		return now.Sub(g.c.Layout.tickStart(m.tickOf(number)).Add(g.c.Layout.Unit))
	}
	if next, ok, _ := g.ring.Front(); ok {
		s.Lag = age(next)
		s.Ahead = -s.Lag
	}
}
