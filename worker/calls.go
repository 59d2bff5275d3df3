package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/internal/asynclog"
	"github.com/ringuid/ringuid/internal/grants"
	"github.com/ringuid/ringuid/worker/store"
)

// The lease protocol has no clock, goroutine or randomness of its own. It makes one call at a
// time, and is given the moment after each. So the simulation can run the same code on a store
// that loses, delays and repeats calls.

// moment is the time after a call, and everything else that may differ from one call to the next.
type moment struct {
	wall  time.Time
	mono  time.Duration // by the monotonic clock
	nonce store.Nonce   // a new one
}

func (c Claim) moment() moment {
	return moment{wall: c.clock.Wall(), mono: c.clock.Mono(), nonce: c.nonce()}
}

// noTick is below all ticks.
const noTick = math.MinInt64

// caller makes the calls of one process, one after another.
type caller struct {
	c     Claim
	need  Need
	store store.Store
	ctx   context.Context          // of all calls
	act   func(call func()) moment // makes a call and returns the moment after it
	// sleep waits for d, or until it is woken; an error means that ctx has ended
	sleep func(d time.Duration, wake <-chan struct{}) error

	at      moment        // after the last call
	asked   time.Duration // when that call was made, by the monotonic clock
	cleared int           // how often rows of other layouts were deleted
	clocks  offset        // when they were last compared
	differ  bool          // the log says so
	turns   int           // floors that this process raised since another server came

	raised, left string // the server for which it raised the last one, and the one before it
}

// caller returns a caller that calls s until ctx ends.
func (c Claim) caller(ctx context.Context, s store.Store, n Need) caller {
	return caller{c: c, need: n, store: s, ctx: asynclog.With(ctx, c.Logger), at: c.moment(),
		act: func(call func()) moment {
			call()
			return c.moment()
		},
		sleep: func(d time.Duration, wake <-chan struct{}) error {
			if d > 0 { // two that poll time.After(0) in a bubble may crash Go's race detector
				select {
				case <-wake:
				case <-time.After(d):
				case <-ctx.Done():
				}
			}
			return context.Cause(ctx)
		}}
}

// call makes a call that may take times * Claim.Timeout. Each call has all of that time: on a
// busy machine, the call before it could have used up a shared one.
func call[T any](p *caller, times time.Duration, f func(ctx context.Context) (T, error)) (
	got T, err error) {
	p.asked = p.at.mono
	p.at = p.act(func() {
		ctx, cancel := context.WithTimeout(p.ctx, times*p.c.Timeout)
		defer cancel()
		if err = context.Cause(ctx); err == nil {
			got, err = f(ctx)
		}
		if err != nil && ctx.Err() != nil && p.ctx.Err() == nil {
			err = fmt.Errorf("%w; this call had %v (see Claim.Timeout)%.0w", err, times*p.c.Timeout, errLate)
		}
	})
	return got, err
}

// errLate means that a call had no answer within its time.
var errLate = errors.New("worker: no answer within the time of a call")

// callMany makes a call that changes many rows and may take longer.
func (p *caller) callMany(f func(ctx context.Context) error) error {
	_, err := call(p, 10, func(ctx context.Context) (any, error) { return nil, f(ctx) })
	return err
}

// write sends a write of h and passes the answer to h. After an error the outcome is not known.
func (p *caller) write(h *holder, w store.Write) (applied bool, err error) {
	applied, err = call(p, 1, func(ctx context.Context) (bool, error) { return p.store.Write(ctx, w) })
	h.wrote(applied, err)
	return applied, err
}

// raise begins a new epoch of the pool, or makes its head, or changes its slack, if the store has
// heads.
func (p *caller) raise(was store.Head, ahead int64, slack time.Duration) (applied bool, err error) {
	headed, ok := p.store.(store.Raiser)
	if !ok {
		return false, nil
	}
	return call(p, 1, func(ctx context.Context) (bool, error) {
		return headed.Raise(ctx, p.need.pool(), was, ahead, slack)
	})
}

// delete deletes the rows of a layout, or of all layouts if layout is empty. It reads the pools of
// these views again, and returns an error if a row that they show is still there.
func (p *caller) delete(layout string, were ...store.View) error {
	err := p.callMany(func(ctx context.Context) error { return p.store.Delete(ctx, layout) })
	for i := 0; err == nil && i < len(were); i++ {
		p.need.Unit, p.need.Fingerprint = were[i].Unit, were[i].Layout
		is, failed := p.read(0, math.MaxInt64)
		err = cmp.Or(failed, grants.Deleted(were[i], is, layout == ""))
	}
	return err
}

// pause waits for the next attempt.
func (p *caller) pause(d time.Duration) (err error) {
	p.at = p.act(func() { err = p.sleep(d, nil) })
	return err
}

// backOff returns how long to wait after this many failures: a random time that grows with
// their number, and is up to five seconds after half a minute, or later if all are timeouts.
func backOff(failures int, random store.Nonce) time.Duration {
	n := time.Duration(min(failures, 32))
	return time.Millisecond + n*n*5*time.Millisecond*time.Duration(random[0])/256
}

// errMissed means that a write's condition failed, although it held in the view before it.
var errMissed = errors.New("worker: nothing was written: the row changed meanwhile, or a " +
	"trigger, rule or policy of the store keeps it as it is")
