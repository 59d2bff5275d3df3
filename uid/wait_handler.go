package uid

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/policy"
)

// leastHold is how long, at first, a reject-take handler that was told of its turn keeps
// others from theirs.
const leastHold = time.Millisecond

// handled tries until there is an id, or the reject-take handler answers with an error.
func (k *core) handled(ctx context.Context, l *line, b *block, try attempt) *block {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(k.life, func() { end(ErrClosed) })()
	begin := time.Now()
	p := place{hold: leastHold}
	defer func() { // also if the handler ends the goroutine
		end(nil)
		p.leave(l)
	}()
	for b != nil && !b.final() {
		p.stand(ctx, l)
		b = k.askOnce(ctx, l, &p, try, policy.Reject{Reason: b.err, Waited: time.Since(begin)})
	}
	return b
}

// place is the place in line, kept from ask to ask, of a take whose handler is asked.
type place struct {
	leads <-chan struct{} // closed when the take leads the line
	gone  chan struct{}   // closed when no goroutine stands in line for it; nil: no place
	hold  time.Duration   // how long it leads while its handler does not answer
}

// stand has a goroutine stand in line until ctx ends, unless there is a place already.
func (p *place) stand(ctx context.Context, l *line) {
	if p.gone != nil {
		return
	}
	leads, gone := make(chan struct{}), make(chan struct{})
	p.leads, p.gone = leads, gone
	go func() {
		defer close(gone)
		select {
		case l.lead <- struct{}{}:
			close(leads)
		case <-ctx.Done():
		}
	}()
}

// leave gives up the place; stand's context has ended.
func (p *place) leave(l *line) {
	if p.gone == nil {
		return
	}
	<-p.gone
	select {
	case <-p.leads:
		<-l.lead
	default:
	}
}

// askOnce asks the handler, and tries if it says so.
func (k *core) askOnce(ctx context.Context, l *line, p *place, try attempt,
	r policy.Reject) *block {
	asked, answered := context.WithCancel(ctx)
	refilled, turn, at := make(chan struct{}), make(chan bool, 1), *p
	go func() {
		keeps := true // also if the user's clock or lease ends this goroutine
		defer func() { turn <- keeps }()
		keeps = k.turn(asked, l, at, refilled)
	}()
	defer func() { // also if the handler ends the goroutine
		answered()
		if !<-turn {
			p.gone = nil
			p.hold = min(2*p.hold, nap) // told in vain: a slow handler gets its turn in the end
		}
	}()
	r.Refilled = refilled
	if err := k.ask(ctx, r); err != nil {
		return &block{err: err}
	}
	return try()
}

// turn closes refilled when it is the turn of a take whose handler is asked, and returns
// whether the take still has its place.
func (k *core) turn(asked context.Context, l *line, p place,
	refilled chan<- struct{}) (keeps bool) {
	select {
	case <-p.leads:
	case <-asked.Done():
		return true
	}
	k.lead(asked, false, k.m.ready)
	close(refilled)
	select {
	case <-asked.Done():
		return true
	case <-time.After(p.hold):
		<-l.lead
		return false
	}
}

// ask calls the handler, which is the user's. Its panic becomes the answer. So does the end of
// the context, even for a handler that always says to try again.
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

// askedKey is the key under which a context says whose reject-take handler it was given to.
type askedKey struct{}
