// Package storeclock estimates the clock of a store whose writes cannot read it, but
// which shows it with some of its answers: the time of a change in ZooKeeper, the Date of
// an HTTP answer.
//
// A reading says that at some moment between question and answer the store's clock showed
// this time, give or take its resolution. That bounds the difference between the store's
// clock and this machine's monotonic one, from both sides, until one of the two is set.
// The time is then this machine's own, if it lies within these bounds, and otherwise the
// nearer bound: so only a machine whose clock is right uses it.
package storeclock

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringuid/ringuid/internal/clock"
)

// Clock may be used from any goroutine.
type Clock struct {
	machine clock.Clock
	told    chan struct{} // closed by the first answer, if only a failure
	first   sync.Once

	mu     sync.Mutex
	known  bool
	lo, hi time.Duration // the store's lead over the monotonic clock
	next   time.Duration // when it is to be read again
	gap    time.Duration // of the machine's two clocks, when that was set
	failed error         // why it could not be read
}

// New returns a clock that has not been read yet.
func New(machine clock.Clock) *Clock { return &Clock{machine: machine, told: make(chan struct{})} }

// Mono is the moment at which a question is asked.
func (c *Clock) Mono() time.Duration { return c.machine.Mono() }

// every is how long bounds are gone by before they are asked for again: clocks drift,
// are set, and another server leads.
const every = time.Minute

// doubtful is how far the machine's clocks may drift apart before the bounds are asked for
// again at once: while a machine sleeps its monotonic clock may stand still, and they with it.
const doubtful = time.Second

// Due reports whether it is time to read the clock again. It returns true to one caller,
// who must do it, and then call Read or Failed.
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

// Wait returns when there was an answer, or ctx ends: whoever comes second, while another
// asks for the first time, must not go by this machine's clock meanwhile.
func (c *Clock) Wait(ctx context.Context) {
	select {
	case <-c.told:
	case <-ctx.Done():
	}
}

// answered lets those go on that wait for the first answer.
func (c *Clock) answered() { c.first.Do(func() { close(c.told) }) }

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
	c.answered()
}

// Failed notes why the clock could not be read.
func (c *Clock) Failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = err
	c.answered()
}

var errUnread = errors.New("it was not asked yet")

// Now returns the store's time, or this machine's time and why the store's is not known.
func (c *Clock) Now() (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wall := c.machine.Wall()
	if !c.known {
		return wall, cmp.Or(c.failed, errUnread)
	}
	mono := c.machine.Mono()
	earliest, latest := time.Unix(0, int64(mono+c.lo)), time.Unix(0, int64(mono+c.hi))
	switch {
	case wall.Before(earliest):
		return earliest, nil
	case wall.After(latest):
		return latest, nil
	}
	return wall, nil
}
