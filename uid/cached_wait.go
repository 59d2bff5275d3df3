package uid

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// noContext marks a call that has no context. It is one, but no caller's.
var noContext = context.WithValue(context.Background(), noContextKey{}, true)

type noContextKey struct{}

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = fmt.Errorf("%w: the padder is refilling it", ErrRingEmpty)

// emptyFor is the reason of a reject; why is what keeps the padder, if anything.
func emptyFor(why error) error {
	if why == nil {
		return errRefilling
	}
	return fmt.Errorf("%w: %w", ErrRingEmpty, why)
}

// await gets up to limit ids of one span for a take that found the ring empty: it
// waits for its turn, or does what the reject-take policy says.
func (g *CachedGenerator) await(ctx context.Context, limit int) (first int64, n int, err error) {
	g.waits.Add(1)
	w := &waiter{wants: limit}
	if ctx == noContext {
		w.since = time.Now()
	}
	if g.c.RejectTake == nil {
		err = g.waitTurn(ctx, w)
	} else {
		h := handled{g: g, ctx: ctx, limit: limit}
		err = h.run(w)
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

// waitTurn waits until the take is served.
func (g *CachedGenerator) waitTurn(ctx context.Context, w *waiter) error {
	g.waiting.enter(w, false)
	if ctx == noContext {
		<-w.ready
		return w.err
	}
	select {
	case <-w.ready:
		return w.err
	case <-ctx.Done():
	}
	if !g.waiting.leave(w) { // served in the same moment
		<-w.ready
		return w.err
	}
	why, _ := g.padder.Waiting()
	return fmt.Errorf("%w: %w", emptyFor(why), context.Cause(ctx))
}

// handled is a take of which a reject-take handler decides.
type handled struct {
	g       *CachedGenerator
	ctx     context.Context // the caller's
	limit   int
	puts    int64     // of the queue, at the last progress
	since   time.Time // of the last progress
	attempt int       // since the last progress
}

// run tries until there is an id, or the handler answers with an error. The take
// is queued while the handler decides, so that it is told when it is its turn, and
// then takes by itself: nobody else can know whether the handler lets it.
func (h *handled) run(w *waiter) error {
	ctx, cancel := h.bound()
	defer cancel(nil)
	w.wants, w.timeout = 0, cancel
	h.since = time.Now()
	q := &h.g.waiting
	q.enter(w, h.nested()) // before the take that waits for it
	defer func() {         // whether its turn was used or not, and not to call itself
		q.leave(w)
		q.callNext()
	}()
	for {
		why, final := h.g.padder.Waiting() // before the ring is looked at: nothing is put after it
		if first, n, ok := h.g.trySpan(h.limit); ok {
			w.first, w.n = first, n
			return nil
		}
		if final {
			return why
		}
		if err := h.reject(ctx, w, why); err != nil {
			return err
		}
		select {
		case <-w.ready:
			if w.err != nil {
				return w.err
			}
			q.enter(w, true) // where it was
		default: // the handler did not wait for its turn
		}
	}
}

// bound is a context that ends with the caller's, or when patience does, and with
// the generator.
func (h *handled) bound() (context.Context, context.CancelCauseFunc) {
	if h.ctx == noContext {
		return context.WithCancelCause(h.g.life)
	}
	ctx, cancel := context.WithCancelCause(h.ctx)
	stop := context.AfterFunc(h.g.life, func() { cancel(ErrClosed) })
	return ctx, func(cause error) { stop(); cancel(cause) }
}

// reject asks the handler what becomes of the take: nil to try again. why is what
// keeps the padder, if anything.
func (h *handled) reject(ctx context.Context, w *waiter, why error) error {
	if puts, at := h.g.waiting.lastPut(); puts != h.puts && at.After(h.since) {
		h.puts, h.since, h.attempt = puts, at, 0
	}
	h.attempt++
	r := policy.Reject{
		Reason:   emptyFor(why),
		Refilled: w.ready,
		Attempt:  h.attempt,
		Waited:   time.Since(h.since),
	}
	if ctx.Err() != nil { // also for a handler that always says to try again
		return fmt.Errorf("%w: %w", r.Reason, context.Cause(ctx))
	}
	if h.attempt > 1 {
		runtime.Gosched() // a handler that does not wait must not starve the padder
	}
	return h.ask(ctx, r)
}

// ask calls the handler, which is the user's: its panic becomes the answer.
func (h *handled) ask(ctx context.Context, r policy.Reject) (err error) {
	defer func() {
		if v := recover(); v != nil {
			h.g.faults.Add(1)
			err = fmt.Errorf("%w: the reject-take handler panicked: %v", r.Reason, v)
		}
	}()
	if h.nested() { // it is not asked about that
		return policy.Wait(ctx, r)
	}
	return h.g.c.RejectTake(context.WithValue(ctx, askedKey{}, h.g), r)
}

// nested: the take is one of the handler's own.
func (h *handled) nested() bool { return h.ctx.Value(askedKey{}) == h.g }

// askedKey is under which a context says whose reject-take handler it was given to.
type askedKey struct{}
