// Package storeclock estimates the clock of a store whose writes cannot read it, but
// which shows it with some of its answers: the time of a change in ZooKeeper, the Date of
// an HTTP answer.
//
// A reading says that at some moment between question and answer the store's clock showed
// this time, give or take its resolution. That bounds the difference between the store's
// clock and this machine's monotonic one, from both sides, until one of the two is set.
// The time is then this machine's own, if it lies within these bounds, and otherwise the
// nearer bound: so only a machine whose clock is right uses it. It is never later than the
// store's by more than MostAhead, also when a question was under way for long. A machine
// whose clock is further off than that may not write.
package storeclock

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
	"github.com/ringuid/ringuid/worker/internal/sentinel"
)

// MostAhead bounds how far ahead of the store's clock a write may be, and how far a machine's
// clock may be off that writes. worker.Claim.Slack has to be twice as long: one writer may be
// ahead, and another behind.
const MostAhead = 2 * time.Second

// Clock may be used from any goroutine.
type Clock struct {
	machine clock.Clock

	mu     sync.Mutex
	known  bool
	lo, hi time.Duration // the store's lead over the monotonic clock
	next   time.Duration // when it is to be read again
	gap    time.Duration // of the machine's two clocks, when that was set
	failed error         // why it could not be read
}

// New returns a clock that has not been read yet.
func New(machine clock.Clock) *Clock {
	return &Clock{machine: machine}
}

// Ask asks the store for its time. At some moment between question and answer, its clock
// showed a time between shown and shown + grain.
type Ask func(context.Context) (shown time.Time, grain time.Duration, err error)

// Now asks, and returns the latest time that the store's clock can show when the answer
// comes.
func (a Ask) Now(ctx context.Context, c *Clock) (time.Time, error) {
	sent, wall := c.machine.Mono(), c.machine.Wall()
	shown, grain, err := a(ctx)
	if err != nil {
		return time.Time{}, err
	}
	c.Read(sent, shown, grain)
	// While a machine sleeps, its monotonic clock may stand still.
	return shown.Add(grain + max(c.machine.Mono()-sent, c.machine.Wall().Sub(wall))), nil
}

// every is how long bounds are used before they are asked for again: clocks drift, are set,
// and another server leads.
const every = time.Minute

// again is how long after a failure a store is asked whose time is not known at all.
const again = time.Second

// doubtful is how far the machine's clocks may drift apart before the bounds are asked for
// again at once: while a machine sleeps its monotonic clock may stand still, and they with it.
const doubtful = time.Second

// Refresh asks the store for its time if that is due. Until there is a first answer, each
// goroutine asks for itself: this machine's clock might be wrong.
func (c *Clock) Refresh(ctx context.Context, ask Ask) {
	if _, unread := c.Now(); !c.Due() && unread != errUnread {
		return
	}
	if _, err := ask.Now(ctx, c); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.failed = err; !c.known { // nothing is written until it is
			c.next = c.machine.Mono() + again
		}
	}
}

// Due reports whether it is time to read the clock again. It returns true to one caller,
// who must do it, and then call Read.
func (c *Clock) Due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	drifted := (c.machine.Gap() - c.gap).Abs() >= doubtful
	if c.next != 0 && c.machine.Mono() < c.next && !drifted {
		return false
	}
	c.readAt()
	return true
}

// readAt: it is read now, and the next time in a minute. The caller has the lock.
func (c *Clock) readAt() { c.next, c.gap = c.machine.Mono()+every, c.machine.Gap() }

// Expire makes a reading due.
func (c *Clock) Expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = 0
}

// Read notes that the store showed this time, with a resolution of grain, in an answer
// that came now to a question asked at the moment sent.
func (c *Clock) Read(sent time.Duration, shown time.Time, grain time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, at := c.machine.Mono(), time.Duration(shown.UnixNano())
	lo, hi := at-now, at+grain-sent
	if c.known && max(lo, c.lo) <= min(hi, c.hi) {
		lo, hi = max(lo, c.lo), min(hi, c.hi)
	}
	c.lo, c.hi, c.known, c.failed = lo, hi, true, nil
	c.readAt()
}

var errUnread = errors.New("it was not asked yet")

// Now returns the store's time, or this machine's time and why the store's is not known.
func (c *Clock) Now() (time.Time, error) {
	now, _, err := c.now()
	return now, err
}

// ForWrite returns the time of a write that is about to be sent. Its error says why this
// machine may not write: it does not know the store's time, or its own clock is too far from
// it, which wraps sentinel.ErrClock.
func (c *Clock) ForWrite() (time.Time, error) {
	now, wall, err := c.now()
	if err != nil {
		return now, fmt.Errorf("the store's clock is not known, so nothing was written: %w", err)
	}
	if off := wall.Sub(now); off.Abs() > MostAhead {
		return now, fmt.Errorf("%w: by %v, where %v is allowed: this machine shows %s, the store %s: "+
			"correct the one that is wrong", sentinel.ErrClock, off.Abs().Round(time.Millisecond), MostAhead,
			wall.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return now, nil
}

func (c *Clock) now() (now, wall time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall = c.machine.Wall()
	if !c.known {
		return wall, wall, cmp.Or(c.failed, errUnread)
	}
	mono := c.machine.Mono()
	earliest := time.Unix(0, int64(mono+c.lo))
	latest := time.Unix(0, int64(mono+min(c.hi, c.lo+MostAhead)))
	switch {
	case wall.Before(earliest):
		return earliest, wall, nil
	case wall.After(latest):
		return latest, wall, nil
	}
	return wall, wall, nil
}
