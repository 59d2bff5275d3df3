package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ringuid/ringuid/worker/store"
)

// The lease protocol has no clock, goroutine, randomness or store of its own. It says what to
// do next, an action, and is told the moment and the answer. Assign, Init and the creation of
// rows do one thing after another, with a caller. The keeper of a lease is a step function,
// since its process may be copied at any moment. The simulation runs both with a store that
// loses, delays and repeats calls.

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

// noTick is below all ticks.
const noTick = math.MinInt64

// action is what to do next: make a call, and then the next step with its answer; or wait,
// and then make the next step; or stop.
type action struct {
	call    any           // a store.Write or one of the types below; nil: none
	wait    time.Duration // when there is no call
	backoff bool          // wait all of it, even if the generator wants more
	over    bool
}

var over = action{over: true}

// answer is the outcome of a call. After an error of a write the outcome is not known.
type answer struct {
	view    store.View
	now     time.Time
	applied bool
	err     error
}

// The calls of a store's methods, besides store.Write.
type (
	lookup struct {
		store.Pool
		first, last int64
	}
	askTime  struct{}
	creation struct {
		store.Pool
		workers []int64
		nonce   store.Nonce
	}
	opening struct {
		store.Pool
		workers        []int64
		created, nonce store.Nonce
		high           int64
	}
	raising struct {
		store.Pool
		epoch        string
		floor, ahead int64
	}
	purge struct { // delete the rows of a layout, or of all of them
		layout string
		proof  error // why: see doubts
	}
)

// do makes a call within Claim.Timeout. Each call has the whole of it: on a busy machine
// the one before could have used it up. Many rows take longer.
func (c Claim) do(ctx context.Context, s store.Store, call any) (a answer) {
	timeout := c.Timeout
	switch call.(type) {
	case creation, opening, purge:
		timeout *= 10
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return ask(ctx, s, call)
}

func ask(ctx context.Context, s store.Store, call any) (a answer) {
	switch call := call.(type) {
	case lookup:
		a.view, a.err = s.View(ctx, call.Pool, call.first, call.last)
	case askTime:
		a.now, a.err = s.Now(ctx)
	case creation:
		a.err = s.Create(ctx, call.Pool, call.workers, call.nonce)
	case opening:
		a.err = s.Open(ctx, call.Pool, call.workers, call.created, call.nonce, call.high)
	case store.Write:
		a.applied, a.err = s.Write(ctx, call)
	case raising:
		headed, ok := s.(store.Raiser)
		if !ok {
			return answer{err: fmt.Errorf("%w: its views show a server, and it has no Raise", ErrStore)}
		}
		a.applied, a.err = headed.Raise(ctx, call.Pool, call.epoch, call.floor, call.ahead)
	case purge:
		a.err = s.Delete(ctx, call.layout)
	}
	return a
}

// caller makes one call after another, for a process that has no lease yet.
type caller struct {
	c       Claim
	need    Need
	act     func(action) (moment, answer) // the answer to a wait is the error that ended it
	at      moment                        // of the last answer
	asked   time.Duration                 // by the monotonic clock, when its call was made
	cleared int                           // how often rows of other layouts were deleted
}

// caller calls a store until ctx ends.
func (c Claim) caller(ctx context.Context, s store.Store, n Need) caller {
	return caller{c: c, need: n, at: c.moment(noTick), act: func(next action) (moment, answer) {
		var a answer
		if next.call != nil {
			a = c.do(ctx, s, next.call)
		} else {
			a.err = pause(ctx, next.wait)
		}
		return c.moment(noTick), a
	}}
}

func (p *caller) ask(call any) (a answer) {
	p.asked = p.at.mono
	p.at, a = p.act(action{call: call})
	return a
}

func (p *caller) pause(d time.Duration) (err error) {
	var a answer
	p.at, a = p.act(action{wait: d, backoff: true})
	return a.err
}

// view reads rows, until the view is valid.
func (p *caller) view(first, last int64) (store.View, error) {
	var reads survey
	for call := reads.begin(p.need.pool(), first, last); call != nil; {
		var err error
		if call, err = reads.next(&p.c, p.ask(call)); err != nil {
			return store.View{}, err
		}
	}
	return reads.view, nil
}

// place reads the rows of the claim, in a place that is the layout's alone: rows of other
// layouts that are no longer in use are deleted.
func (p *caller) place() (store.View, error) {
	first, last := p.c.First, p.c.Last
	if first == 0 && last == 0 {
		last = p.need.MaxID
	}
	for {
		v, err := p.view(first, last)
		if err != nil {
			return v, fmt.Errorf("worker: reading worker ids: %w", err)
		}
		if err := p.c.serves(p.at, p.at.mono-p.asked, v, p.need); err != nil {
			return v, err
		}
		others, err := p.c.others(v)
		if err != nil || !others {
			return v, err
		}
		if err := p.ask(purge{}).err; err != nil {
			return v, fmt.Errorf("worker: deleting the rows of layouts that are no longer in use: %w", err)
		}
		if p.cleared++; p.cleared > 1 {
			// Somebody else begins with another layout: without random pauses, each would delete
			// the other's rows before they are open, for ever.
			if err := p.pause(backOff(p.cleared, p.at.nonce)); err != nil {
				return v, fmt.Errorf("worker: deleting the rows of other layouts: %w", err)
			}
		}
	}
}

// pause waits for the next attempt.
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
