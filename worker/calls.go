package worker

import (
	"context"
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
	applied bool
	err     error
}

type (
	lookup struct {
		namespace   string
		first, last int64
	}
	write      struct{ store.Write }
	raise      struct{ store.Raise }
	quarantine struct {
		namespace string
		floor     int64
	}
	foundation struct { // of a Maker
		namespace string
		need      Need
	}
)

func (l lookup) ask(ctx context.Context, s Store) (a answer) {
	a.view, a.err = s.View(ctx, l.namespace, l.first, l.last)
	return a
}

func (w write) ask(ctx context.Context, s Store) (a answer) {
	a.applied, a.err = s.Write(ctx, w.Write)
	return a
}

func (r raise) ask(ctx context.Context, s Store) (a answer) {
	a.applied, a.err = s.Raise(ctx, r.Raise)
	return a
}

func (q quarantine) ask(ctx context.Context, s Store) answer {
	return answer{err: s.Quarantine(ctx, q.namespace, q.floor)}
}

func (f foundation) ask(ctx context.Context, s Store) answer {
	return answer{err: s.(Maker).MakeNamespace(ctx, f.namespace, f.need)}
}

// do makes a call within Claim.Timeout. Each call has the whole of it: on a busy machine
// the one before could have used it up. To create a namespace is many calls.
func (c Claim) do(ctx context.Context, s Store, q call) answer {
	if _, many := q.(foundation); many {
		return q.ask(ctx, s)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return q.ask(ctx, s)
}
