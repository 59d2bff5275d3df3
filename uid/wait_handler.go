package uid

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// slow is how long a reject-take handler that was told of its turn keeps others from theirs.
const slow = time.Millisecond

// handled tries until there is an id, or the reject-take handler answers with an error.
func (k *core) handled(ctx context.Context, l *line, b *block, try attempt) *block {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(k.life, func() { end(ErrClosed) })()
	begin, leads := time.Now(), false
	defer func() {
		if leads {
			<-l.lead
		}
	}()
	for b != nil && !b.final() {
		b = k.askOnce(ctx, l, &leads, try, policy.Reject{Reason: b.err, Waited: time.Since(begin)})
	}
	return b
}

// askOnce asks the handler, and tries if it says so. Meanwhile another goroutine stands in
// line for the take. leads says whether that leads the line, before and after.
func (k *core) askOnce(ctx context.Context, l *line, leads *bool, try attempt,
	r policy.Reject) *block {
	asked, answered := context.WithCancel(ctx)
	refilled, turn, led := make(chan struct{}), make(chan bool, 1), *leads
	go func() { turn <- k.turn(asked, l, led, refilled) }()
	defer func() { // also where the handler ends the goroutine
		answered()
		*leads = <-turn
	}()
	r.Refilled = refilled
	if err := k.ask(ctx, r); err != nil {
		return &block{err: err}
	}
	return try()
}

// turn closes refilled when it is the turn of a take whose handler is asked. It leads the
// line until the handler has answered, unless that takes long, and returns whether it still
// does: a take that was told and got nothing stays where it was.
func (k *core) turn(asked context.Context, l *line, leads bool,
	refilled chan<- struct{}) (stillLeads bool) {
	if !leads {
		select {
		case l.lead <- struct{}{}:
		case <-asked.Done():
			return false
		}
	}
	k.lead(asked, false, k.m.ready)
	close(refilled)
	select {
	case <-asked.Done():
		return true
	case <-time.After(slow):
		<-l.lead
		return false
	}
}

// ask calls the handler, which is the user's: its panic becomes the answer. So does the end
// of the context, also for a handler that always says to try again.
func (k *core) ask(ctx context.Context, r policy.Reject) (err error) {
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w", r.Reason, context.Cause(ctx))
	}
	defer func() {
		if v := recover(); v != nil {
			k.faults.Add(1)
			err = fmt.Errorf("%w: the reject-take handler panicked: %v", r.Reason, v)
		}
	}()
	return k.c.RejectTake(context.WithValue(ctx, askedKey{}, k), r)
}

// askedKey is under which a context says whose reject-take handler it was given to.
type askedKey struct{}
