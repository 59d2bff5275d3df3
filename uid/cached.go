package uid

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ringuid/ringuid/padding"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
	"github.com/ringuid/ringuid/worker"
)

// CachedGenerator hands out ids from a ring that a background padder keeps full, as
// Baidu's CachedUidGenerator does: a take is one fetch-and-add, without a lock or a call
// of the clock. Ids follow the clock, and run ahead of it when they are taken faster than
// the layout's ticks can hold: see Config.MaxAhead.
//
// The ids that one goroutine takes by GetUID increase, unless the worker id changes where
// it lies above the time ([WorkerTimeSequence]).
// Each batch and each stream is in order by itself. All methods may be called from any
// number of goroutines.
type CachedGenerator struct {
	ring ringbuffer.Ring // a part, not a pointer: a take follows one pointer less

	core
	padder  *padding.Padder
	mint    *mint
	line    queue
	streams streams

	waits, rejected, faults atomic.Int64
}

// NewCached makes the generator to take, unless ids must never be ahead of the clock or be
// those of another system: see NewDefault. It gets a worker id, fills the ring and starts the
// padder. With a worker id that is not fenced the first ids are those of the next tick: see
// Config.AllowRepeats. ctx bounds only the start. Errors wrap ErrConfig, ErrLayout,
// ErrTimeOver, ErrWorkerID, or come from the assigner.
func NewCached(ctx context.Context, a worker.Assigner, c Config) (*CachedGenerator, error) {
	if err := refuse(c.ofDefault(), "NewDefault", "cached"); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	runsOn := c.runsOn()
	shape, err := c.ringShape(runsOn) // before a worker id is spent
	if err != nil {
		return nil, err
	}
	g := &CachedGenerator{}
	if err := g.open(ctx, g, a, c, cmp.Or(c.MaxAhead, anyAhead)); err != nil {
		return nil, err
	}
	if runsOn && g.held.Load().noBorrow {
		// Each tick is minted when it begins, so that no slot would get more than one.
		if single, err := c.ringShape(false); err == nil { // else these slots are too many
			shape = single
		}
	}
	shape.init(&g.ring, &g.fields)
	g.mint = &mint{core: &g.core, ring: &g.ring, ids: c.tickIDs(), ringShape: shape}
	g.mint.last.Store(math.MinInt64)
	g.padder = padding.New(g.mint, g.paddingConfig())
	context.AfterFunc(g.life, g.line.close)
	g.following.Go(g.follow)
	return g, nil
}

func (g *CachedGenerator) paddingConfig() padding.Config {
	pc := padding.Config{
		IDs:      g.mint.ids,
		Run:      g.mint.row / g.mint.ids,
		Slots:    int(g.mint.slots),
		Low:      g.mint.low(),
		Now:      g.c.Now,
		Tick:     g.c.Layout.unixTick,
		Start:    g.c.Layout.tickStart,
		MaxAhead: g.c.MaxAhead,
		ErrAhead: ErrAhead,
		MaxLag:   g.c.MaxLag,
		Schedule: g.c.ScheduleInterval,
		Refilled: g.refilled,
		Logger:   g.c.Logger,
	}
	if reject := g.c.RejectPut; reject != nil {
		pc.RejectPut = func(tick, left int64) bool {
			return bool(reject(policy.Reject{
				Reason: errRingFull,
				Left:   left,
				Tick:   g.c.Layout.tickStart(tick),
			}))
		}
	}
	return pc
}

var errRingFull = errors.New("uid: the ring is full")

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
		first, _, err := g.await(ctx, 1)
		return ID(first), err
	}
	return ID(id), nil
}

// low wakes the padder. Where a take may be rejected it goes first, as it must
// where there is one CPU.
func (g *CachedGenerator) low() {
	g.padder.Wake()
	if g.c.RejectTake != nil {
		runtime.Gosched()
	}
}

// span takes up to limit ids of one span out of the ring: n of them, from first
// on.
func (g *CachedGenerator) span(ctx context.Context, limit int) (first int64, n int, err error) {
	first, n, ok := g.trySpan(limit)
	if !ok {
		return g.await(ctx, limit)
	}
	return first, n, nil
}

// trySpan is span without waiting; false when the ring is empty.
func (g *CachedGenerator) trySpan(limit int) (first int64, n int, ok bool) {
	first, n, low := g.ring.Take(ringbuffer.Attempt{}, limit)
	if low {
		g.low()
	}
	return first, n, n > 0
}

func (g *CachedGenerator) stop() {
	g.padder.Close() // first: nothing is put after the flush
	g.flush()        // so all that streams hold is stale
}

func (g *CachedGenerator) renounce() {
	g.padder.Reset(func() int64 {
		g.restored()
		return g.ring.Drop(math.MaxInt64)
	})
}

func (g *CachedGenerator) grantChanged()     { g.padder.Wake() }
func (g *CachedGenerator) lastMinted() int64 { return g.mint.last.Load() }

func (g *CachedGenerator) flush() {
	g.padder.Reset(func() int64 { return g.ring.Drop(math.MaxInt64) })
}

func (g *CachedGenerator) replaceLease(h *heldLease) (old *heldLease, last int64) {
	g.padder.Reset(func() int64 {
		last = g.lastMinted()
		old = g.replaceHeld(h)
		return 0 // what the last worker id made is as good as ever
	})
	return old, last
}

func (g *CachedGenerator) count(s *Stats) {
	p := g.padder.Stats()
	s.RingSize, s.Left, s.Taken = g.mint.size(), p.Left, p.Taken
	s.Refills, s.RejectedPuts, s.Discarded, s.Dropped = p.Refills, p.Rejected, p.Discarded, p.Dropped
	s.Waits, s.Rejected, s.Faults = g.waits.Load(), g.rejected.Load(), p.Faults+g.faults.Load()
	now := g.c.Now()
	age := func(number int64) time.Duration { // since its tick ended
		return now.Sub(g.c.Layout.tickStart(g.mint.tickOf(number)).Add(g.c.Layout.Unit))
	}
	oldest := g.oldestHeld()
	if next, ok, _ := g.ring.Front(); ok {
		s.Ahead = -age(next)
		oldest = min(oldest, next)
	}
	if oldest < math.MaxInt64 {
		s.Lag = age(oldest)
	}
}
