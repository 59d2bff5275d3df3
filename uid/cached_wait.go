package uid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = errors.New("the padder is refilling it")

// emptyFor is the reason of a reject; why is what keeps the padder, if anything.
func emptyFor(why error) error {
	return fmt.Errorf("%w: %w", ErrRingEmpty, cmp.Or(why, errRefilling))
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
	case <-g.life.Done():
		g.line.leave(w)
		return ErrClosed
	case <-ctx.Done():
	}
	if !g.line.leave(w) { // served in the same moment
		return w.err
	}
	why, _ := g.waiting()
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
	q.note(put)
	q.push(w, front)
	if q.length.Load() == 1 {
		g.padder.Wake() // it looks again when what is in the way has passed
	}
	if w.wants > 0 {
		g.attend()
	}
}

// serveLine serves the line, and says when to do so again at the latest.
func (g *CachedGenerator) serveLine(put int64) (again time.Duration) {
	q := &g.line
	if q.length.Load() == 0 {
		return math.MaxInt64
	}
	q.mu.Lock()
	q.note(put)
	handed, why := g.attend()
	again = q.overdue(emptyFor(why))
	q.mu.Unlock()
	if handed && q.length.Load() > 0 {
		runtime.Gosched() // those who were woken go first
		return 0
	}
	return again
}

// attend serves the line, or ends all waits if there will be no more ids; why is what keeps
// one from being minted now. The caller has the line's lock.
func (g *CachedGenerator) attend() (handed bool, why error) {
	why, final := g.waiting() // before the ring is looked at: nothing is put after it
	handed = g.serve(served)
	if final && g.mint.used() == 0 {
		g.line.failAll(why)
	}
	return handed, why
}

// serve hands out up to n ids to those who have waited longest, and calls those among them
// who take by themselves. It reports whether it handed any out.
func (g *CachedGenerator) serve(n int64) (handed bool) {
	q := &g.line
	n = min(n, int64(g.mint.used())*g.mint.perSlot) // no more are called than there are ids
	for w := q.next(); w != nil && n > 0; w = q.next() {
		if w.wants == 0 {
			q.call(w)
			n--
			continue
		}
		first, got, ok := g.trySpan(w.wants)
		if !ok {
			return handed
		}
		w.first, w.n = first, got
		q.call(w)
		n -= int64(got)
		handed = true
	}
	return handed
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
	defer g.depart(w)
	for {
		why, final := g.waiting() // before the ring is looked at: nothing is put after it
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

// depart takes who took by itself out of the line, and passes on that there may be ids,
// whether its turn was used or not.
func (g *CachedGenerator) depart(w *waiter) {
	g.line.mu.Lock()
	defer g.line.mu.Unlock()
	g.line.remove(w)
	g.serve(1)
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
