package uid

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// errPatience ends a wait that made no progress and that no context bounds.
var errPatience = fmt.Errorf("no id was put for %v", patience)

// noContext marks a call that has no context. It is one, but no caller's.
var noContext = context.WithValue(context.Background(), noContextKey{}, true)

type noContextKey struct{}

// errRefilling is the reason of a reject when nothing is in the way.
var errRefilling = fmt.Errorf("%w: the padder is refilling it", ErrRingEmpty)

// wait is one take that found the ring empty, through all its attempts.
type wait struct {
	g       *CachedGenerator
	ctx     context.Context // the caller's; noContext: five seconds without progress
	put     int64           // ids that the padder had put at the last progress
	since   time.Time       // of the last progress
	attempt int             // since the last progress
}

// await tries a take until it got something, or the reject-take policy answers
// with an error.
func (g *CachedGenerator) await(ctx context.Context, take func() (got bool)) error {
	g.waits.Add(1)
	w := &wait{g: g, ctx: ctx, since: time.Now(), put: g.padder.Stats().Put}
	for {
		refilled := g.padder.Refilled() // before looking: nothing falls in between
		if take() {
			return nil
		}
		if err := w.reject(refilled); err != nil {
			return err
		}
	}
}

// reject asks the reject-take policy what becomes of the take: nil to try again.
// refilled was asked for before the ring was found empty.
func (w *wait) reject(refilled <-chan struct{}) error {
	err := w.decide(refilled)
	if w.g.life.Err() != nil {
		err = ErrClosed
	}
	if err != nil {
		w.g.rejected.Add(1)
	}
	return err
}

func (w *wait) decide(refilled <-chan struct{}) error {
	why, final := w.g.padder.Waiting()
	if final {
		return why
	}
	reason := errRefilling
	if why != nil {
		reason = fmt.Errorf("%w: %w", ErrRingEmpty, why)
	}
	if put := w.g.padder.Stats().Put; put != w.put {
		w.put, w.since, w.attempt = put, time.Now(), 0
	}
	w.attempt++
	r := policy.Reject{
		Reason:   reason,
		Refilled: refilled,
		Attempt:  w.attempt,
		Waited:   time.Since(w.since),
	}
	ctx, cancel := w.bound()
	defer cancel()
	if ctx.Err() != nil { // also for a policy that always says to try again
		return fmt.Errorf("%w: %w", r.Reason, context.Cause(ctx))
	}
	if w.attempt > 1 {
		runtime.Gosched() // a policy that does not wait must not starve the padder
	}
	return w.ask(ctx, r)
}

// bound is a context that ends with the caller's or after the patience, and with
// the generator.
func (w *wait) bound() (context.Context, context.CancelFunc) {
	if w.ctx == noContext {
		return context.WithDeadlineCause(w.g.life, w.since.Add(patience), errPatience)
	}
	ctx, cancel := context.WithCancelCause(w.ctx)
	stop := context.AfterFunc(w.g.life, func() { cancel(ErrClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// ask calls the policy, which is the user's: its panic becomes the answer.
func (w *wait) ask(ctx context.Context, r policy.Reject) (err error) {
	defer func() {
		if v := recover(); v != nil {
			w.g.faults.Add(1)
			err = fmt.Errorf("%w: the reject-take handler panicked: %v", r.Reason, v)
		}
	}()
	if w.ctx.Value(askedKey{}) == w.g { // a take of the policy's own: it is not asked about that
		return policy.Wait(ctx, r)
	}
	return w.g.c.RejectTake(context.WithValue(ctx, askedKey{}, w.g), r)
}

// askedKey is under which a context says whose reject-take policy it was given to.
type askedKey struct{}
