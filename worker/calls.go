package worker

import (
	"context"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The protocol is two step functions, acquirer's and keeper's, that have no clock, no
// goroutine, no randomness and no store. A step is told what the store answered to the
// call that the last step asked for, and at which moment; it says what to do next.
// Assign and a goroutine drive them with a real store, the simulation with one that
// loses, delays and repeats.

// moment is when a step is made, and what changes from one to the next by itself.
type moment struct {
	wall   time.Time
	mono   time.Duration // of a clock that is never set
	cursor int64         // the highest tick that the generator wants
	nonce  store.Nonce   // a new one
}

func (c Claim) moment(cursor int64) moment {
	return moment{wall: c.clock.Wall(), mono: c.clock.Mono(), cursor: cursor, nonce: c.nonce()}
}

// gap is the wall clock's lead over the monotonic one. It changes only when the wall
// clock is set, or the machine was suspended or restored.
func (m moment) gap() time.Duration { return m.wall.Sub(time.Unix(0, 0)) - m.mono }

// action is what to do next: to make a call and tell the next step what came of it;
// or to wait; or nothing any more.
type action struct {
	call call          // nil: none
	wait time.Duration // at most, when there is no call
	deaf bool          // at least, too: even if the generator wants more
	over bool
}

var over = action{over: true}

// call is one question to a store.
type call interface {
	ask(ctx context.Context, s Store) answer
}

// answer is what came of a call. An error of a write means that it is not known.
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

// do makes a call in the time that one may take. What the call before it took does not
// count: on a busy machine nothing would be left.
func (c Claim) do(ctx context.Context, s Store, q call) answer {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return q.ask(ctx, s)
}
