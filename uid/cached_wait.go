package uid

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/ringbuffer"
)

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = fmt.Errorf("%w: the padder is refilling it", ErrRingEmpty)

// emptyFor is the reason of a reject; why is what keeps the padder, if anything.
func emptyFor(why error) error {
	if why == nil {
		return errRefilling
	}
	return fmt.Errorf("%w: %w", ErrRingEmpty, why)
}

// await gets up to limit ids of one span for a take that found the ring empty. It refills the
// ring, as after a time without takes. If there are none then, or others wait for them, it
// waits in line, or does what the reject-take handler says.
func (g *CachedGenerator) await(ctx context.Context, limit int) (first int64, n int, err error) {
	if g.line.length.Load() == 0 {
		g.padder.Help()
		if first, n, ok := g.trySpan(limit); ok {
			return first, n, nil
		}
	}
	g.waits.Add(1)
	w := newWaiter(ctx, limit)
	switch own := ctx.Value(askedKey{}) == g; {
	case g.c.RejectTake == nil || own:
		err = g.inLine(ctx, w, own) // the handler's own take comes before the one that waits for it
	default:
		err = g.handled(ctx, w)
	}
	if g.life.Err() != nil {
		err = ErrClosed
	}
	if err != nil {
		g.rejected.Add(1)
		return 0, 0, err
	}
	return w.first, w.n, nil
}

// inLine waits until the take was served.
func (g *CachedGenerator) inLine(ctx context.Context, w *waiter, front bool) error {
	g.enter(w, front)
	select {
	case <-w.ready:
		return w.err
	case <-ctx.Done():
	}
	if !g.line.leave(w) { // served in the same moment
		return w.err
	}
	why, _ := g.padder.Waiting()
	return fmt.Errorf("%w: %w", emptyFor(why), context.Cause(ctx))
}

// enter puts a take in line, at the end or at the front, and serves the line if there are
// ids. What makes sure that nobody is forgotten:
//
//	a take is put in line before the ring is looked at for it, and ids are put before
//	it is looked whether anybody is in line: one of the two sees the other
func (g *CachedGenerator) enter(w *waiter, front bool) {
	put := g.padder.Help()
	q := &g.line
	q.mu.Lock()
	defer q.mu.Unlock()
	g.note(put)
	q.push(w, front)
	if g.life.Err() != nil { // before the line is closed, or after
		q.fail(w, ErrClosed)
		return
	}
	if q.length.Load() == 1 {
		g.padder.Wake() // it looks again when what is in the way has passed
	}
	why, final := g.padder.Waiting() // before the ring is looked at: nothing is put after it
	if w.wants > 0 {
		g.serve(served)
	}
	if w.place != nil && final && g.mint.Used() == 0 {
		q.fail(w, why)
	}
}

// refilled hands out what was put, and says when to call it again at the latest. The padder
// calls it.
func (g *CachedGenerator) refilled(put int64) (again time.Duration) {
	q := &g.line
	if q.length.Load() == 0 {
		return math.MaxInt64
	}
	q.mu.Lock()
	g.note(put)
	handed := g.serve(served)
	why, final := g.padder.Waiting()
	if final && g.mint.Used() == 0 {
		q.failAll(why)
	}
	again = q.overdue(emptyFor(why))
	q.mu.Unlock()
	if handed && q.length.Load() > 0 {
		runtime.Gosched() // those who were woken go first
		return 0
	}
	return again
}

// note notes that ids were put.
func (g *CachedGenerator) note(put int64) {
	if put > 0 {
		g.line.progress = time.Now()
	}
}

// serve hands out up to n ids to those who have waited longest, and calls those among them
// who take by themselves. It reports whether it handed any out.
func (g *CachedGenerator) serve(n int64) (handed bool) {
	q := &g.line
	n = min(n, int64(g.mint.Used())*g.mint.perSlot) // no more are called than there are ids
	for w := q.next(); w != nil && n > 0; w = q.next() {
		if w.wants == 0 {
			q.call(w)
			n--
			continue
		}
		first, got, low := g.ring.Take(ringbuffer.Attempt{}, w.wants)
		if low {
			g.padder.Wake()
		}
		if got == 0 {
			return handed
		}
		w.first, w.n = first, got
		q.call(w)
		n -= int64(got)
		handed = true
	}
	return handed
}

// serveNext passes on to the next in line that there are ids.
func (g *CachedGenerator) serveNext() {
	if g.line.length.Load() == 0 {
		return
	}
	g.line.mu.Lock()
	defer g.line.mu.Unlock()
	g.serve(1)
}

// handled tries until there is an id, or the reject-take handler answers with an error. The
// take stands in line while the handler decides, so that it is told when it is its turn, and
// then takes by itself: nobody else can know whether the handler lets it.
func (g *CachedGenerator) handled(ctx context.Context, w *waiter) error {
	limit := w.wants
	w.wants = 0
	ctx, w.end = context.WithCancelCause(ctx)
	defer w.end(nil)
	defer context.AfterFunc(g.life, func() { w.end(ErrClosed) })()
	begin := time.Now()
	g.enter(w, false)
	defer func() { // whether its turn was used or not
		g.line.leave(w)
		g.serveNext()
	}()
	for {
		why, final := g.padder.Waiting() // before the ring is looked at: nothing is put after it
		var ok bool
		if w.first, w.n, ok = g.trySpan(limit); ok {
			return nil
		}
		if final {
			return why
		}
		err := g.ask(ctx, policy.Reject{
			Reason:   emptyFor(why),
			Refilled: w.ready,
			Waited:   time.Since(begin),
		})
		if err != nil {
			return err
		}
		select {
		case <-w.ready:
			if w.err != nil {
				return w.err
			}
			g.enter(w, true) // where it was
		default: // the handler did not wait for its turn
			runtime.Gosched() // and must not starve the padder
		}
	}
}

// ask calls the handler, which is the user's: its panic becomes the answer. So does the end
// of the context, also for a handler that always says to try again.
func (g *CachedGenerator) ask(ctx context.Context, r policy.Reject) (err error) {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", r.Reason, context.Cause(ctx))
	}
	defer func() {
		if v := recover(); v != nil {
			g.faults.Add(1)
			err = fmt.Errorf("%w: the reject-take handler panicked: %v", r.Reason, v)
		}
	}()
	return g.c.RejectTake(context.WithValue(ctx, askedKey{}, g), r)
}

// askedKey is under which a context says whose reject-take handler it was given to.
type askedKey struct{}
