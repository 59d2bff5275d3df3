package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The lease protocol has no clock, goroutine or randomness of its own. It makes one call after
// another, and is told the moment after each. So the simulation runs the same code with a store
// that loses, delays and repeats calls.

// moment is the time after a call, and what else may differ from one call to the next.
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

// noTick is below all ticks.
const noTick = math.MinInt64

// caller makes the calls of one process, one after another.
type caller struct {
	c     Claim
	need  Need
	store store.Store
	ctx   context.Context           // of all calls
	act   func(call func()) moment  // makes a call, and tells the moment after it
	sleep func(time.Duration) error // the error says what ended it early

	at      moment        // after the last call
	asked   time.Duration // by the monotonic clock, when that was made
	cleared int           // how often rows of other layouts were deleted
}

// caller calls a store until ctx ends.
func (c Claim) caller(ctx context.Context, s store.Store, n Need) caller {
	return caller{c: c, need: n, store: s, ctx: ctx, at: c.moment(noTick),
		sleep: func(d time.Duration) error { return pause(ctx, d) },
		act: func(call func()) moment {
			call()
			return c.moment(noTick)
		}}
}

// call makes a call within Claim.Timeout. Each call has the whole of it: on a busy machine the
// one before could have used it up.
func (p *caller) call(f func(ctx context.Context) error) error { return p.within(p.c.Timeout, f) }

// callMany is for calls that change many rows, and take longer.
func (p *caller) callMany(f func(ctx context.Context) error) error {
	return p.within(10*p.c.Timeout, f)
}

func (p *caller) within(timeout time.Duration, f func(ctx context.Context) error) (err error) {
	p.asked = p.at.mono
	p.at = p.act(func() {
		ctx, cancel := context.WithTimeout(p.ctx, timeout)
		defer cancel()
		if err = context.Cause(ctx); err == nil {
			err = f(ctx)
		}
	})
	return err
}

// write makes a write. After an error its outcome is not known.
func (p *caller) write(w store.Write) (applied bool, err error) {
	err = p.call(func(ctx context.Context) error {
		applied, err = p.store.Write(ctx, w)
		return err
	})
	return applied, err
}

// raise begins a new epoch of the pool, or makes its head.
func (p *caller) raise(epoch string, floor, ahead int64) (applied bool, err error) {
	headed, ok := p.store.(store.Raiser)
	if !ok {
		return false, fmt.Errorf("%w: its views show a server, and it has no Raise", ErrStore)
	}
	err = p.call(func(ctx context.Context) error {
		applied, err = headed.Raise(ctx, p.need.pool(), epoch, floor, ahead)
		return err
	})
	return applied, err
}

// delete deletes the rows of a layout, or of all layouts if it is empty.
func (p *caller) delete(layout string) error {
	return p.callMany(func(ctx context.Context) error { return p.store.Delete(ctx, layout) })
}

// pause waits for the next attempt.
func (p *caller) pause(d time.Duration) (err error) {
	p.at = p.act(func() { err = p.sleep(d) })
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// backOff is how long to wait after this many failures: a random time that grows with them,
// up to a second, or five seconds after manyFailures.
func backOff(failures int, random store.Nonce) time.Duration {
	most := min(time.Second, 5*time.Millisecond<<min(failures, 8))
	if failures > manyFailures {
		most = 5 * time.Second
	}
	return time.Millisecond + most*time.Duration(random[0])/256
}

// manyFailures take half a minute, or longer where each is a timeout.
const manyFailures = 60

// errMissed: a write's condition failed, although it held in the view before it.
var errMissed = errors.New("worker: the row changed meanwhile")
