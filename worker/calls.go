package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The lease protocol is two step functions, those of acquirer and keeper, without a clock,
// a goroutine, randomness or a store. Each step is given the moment and the answer to the
// last call, and returns the next action. Assign and a goroutine drive them with a real
// store; the simulation drives them with one that loses, delays and repeats calls.

// moment is the time of a step, and what else may differ from one step to the next.
type moment struct {
	wall   time.Time
	mono   time.Duration // by the monotonic clock
	cursor int64         // the highest tick that the generator wants
	nonce  store.Nonce   // a new one
}

func (c Claim) moment(cursor int64) moment {
	return moment{wall: c.clock.Wall(), mono: c.clock.Mono(), cursor: cursor, nonce: c.nonce()}
}

// gap is how far the wall clock is ahead of the monotonic one. It changes only when the
// wall clock is set, or the machine was suspended or restored.
func (m moment) gap() time.Duration { return m.wall.Sub(time.Unix(0, 0)) - m.mono }

// action is what to do next: make a call, and then the next step with its answer; or wait,
// and then make the next step; or stop.
type action struct {
	call    call          // nil: none
	wait    time.Duration // when there is no call
	backoff bool          // wait all of it, even if the generator wants more
	blocked error         // what a wait is for that others have to end; nil: it is no such wait
	over    bool
}

var over = action{over: true}

// call is one question to a store.
type call interface {
	ask(ctx context.Context, s Store) answer
}

// answer is the outcome of a call. After an error of a write the outcome is not known.
type answer struct {
	view    store.View
	now     time.Time
	applied bool
	err     error
}

type (
	lookup struct {
		pool        Pool
		first, last int64
	}
	askTime struct{}
	create  struct{ store.Creation }
	open    struct{ store.Opening }
	write   struct{ store.Write }
	raise   struct{ store.Raise }
	purge   struct { // delete the rows of a layout, or of all of them
		layout string
		proofs int // why: see doubts
	}
)

func (l lookup) ask(ctx context.Context, s Store) (a answer) {
	a.view, a.err = s.View(ctx, l.pool, l.first, l.last)
	return a
}

func (askTime) ask(ctx context.Context, s Store) (a answer) {
	a.now, a.err = s.Now(ctx)
	return a
}

func (c create) ask(ctx context.Context, s Store) answer {
	return answer{err: s.Create(ctx, c.Creation)}
}

func (o open) ask(ctx context.Context, s Store) answer {
	return answer{err: s.Open(ctx, o.Opening)}
}

func (w write) ask(ctx context.Context, s Store) (a answer) {
	a.applied, a.err = s.Write(ctx, w.Write)
	return a
}

func (r raise) ask(ctx context.Context, s Store) (a answer) {
	headed, ok := s.(store.Raiser)
	if !ok {
		return answer{err: fmt.Errorf("%w: its views show a server, and it has no Raise", ErrStore)}
	}
	a.applied, a.err = headed.Raise(ctx, r.Raise)
	return a
}

func (p purge) ask(ctx context.Context, s Store) answer {
	return answer{err: s.Delete(ctx, p.layout)}
}

// do makes a call within Claim.Timeout. Each call has the whole of it: on a busy machine
// the one before could have used it up. Many rows take longer.
func (c Claim) do(ctx context.Context, s Store, q call) answer {
	timeout := c.Timeout
	switch q.(type) {
	case create, open, purge:
		timeout *= 10
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return q.ask(ctx, s)
}
