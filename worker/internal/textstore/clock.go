package textstore

import (
	"context"
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

const (
	// every is how long bounds are used before they are asked for again: clocks drift, are set,
	// and another server leads.
	every = time.Minute

	// doubtful is how far the machine's clocks may drift apart before the bounds are asked for
	// again at once: while a machine sleeps its monotonic clock may stand still, and they with it.
	doubtful = time.Second
)

// Clock estimates the clock of a store whose writes cannot read it. It may be used from any
// goroutine.
//
// An answer bounds the difference between the store's clock and this machine's monotonic one,
// from both sides, until one of the two is set. The time is then this machine's own, if it lies
// within these bounds, and otherwise the nearer bound: so only a machine whose clock is right
// uses it. It is never later than the store's by more than MostAhead, also when a question was
// under way for long. A machine whose clock is further off than that may not write.
type Clock struct {
	machine clock.Clock

	mu     sync.Mutex
	known  bool          // there was an answer
	lo, hi time.Duration // the store's lead over the monotonic clock
	next   time.Duration // when it is to be asked for again
	gap    time.Duration // of the machine's two clocks, when that was set
}

// NewClock returns a clock that knows nothing yet.
func NewClock(machine clock.Clock) *Clock { return &Clock{machine: machine} }

// Ask is described at Server's Time.
type Ask func(context.Context) (shown time.Time, grain time.Duration, err error)

// Latest asks, and returns the latest time that the store's clock can show when the answer
// comes.
func (c *Clock) Latest(ctx context.Context, ask Ask) (time.Time, error) {
	sent, wall := c.machine.Mono(), c.machine.Wall()
	shown, grain, err := ask(ctx)
	if err != nil {
		return time.Time{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now, at := c.machine.Mono(), time.Duration(shown.UnixNano())
	lo, hi := at-now, at+grain-sent
	if c.known && max(lo, c.lo) <= min(hi, c.hi) { // else another server leads, or one was set
		lo, hi = max(lo, c.lo), min(hi, c.hi)
	}
	c.lo, c.hi, c.known = lo, hi, true
	// While a machine sleeps, its monotonic clock may stand still.
	return shown.Add(grain + max(now-sent, c.machine.Wall().Sub(wall))), nil
}

// Now returns the store's time, which it asks for if that is due. If it is not known, that is
// this machine's. An error says why this machine may not write now: it does not know the
// store's time, or its own clock is too far from it, which wraps worker.ErrClock.
func (c *Clock) Now(ctx context.Context, ask Ask) (time.Time, error) {
	var failed error
	if c.due() {
		_, failed = c.Latest(ctx, ask)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	mono, wall := c.machine.Mono(), c.machine.Wall()
	if !c.known {
		return wall, fmt.Errorf("the store's clock is not known, so nothing was written: %w", failed)
	}
	now := wall
	if earliest := time.Unix(0, int64(mono+c.lo)); now.Before(earliest) {
		now = earliest
	}
	if latest := time.Unix(0, int64(mono+min(c.hi, c.lo+MostAhead))); now.After(latest) {
		now = latest
	}
	if off := wall.Sub(now).Abs(); off > MostAhead {
		return now, fmt.Errorf("%w: by %v, where %v is allowed: this machine shows %s, the store %s: "+
			"correct the one that is wrong", sentinel.ErrClock, off.Round(time.Millisecond), MostAhead,
			wall.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return now, nil
}

// due reports whether the store is to be asked. Nobody continues without the first answer, and
// of those who come later one asks, and nobody waits.
func (c *Clock) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	mono, gap := c.machine.Mono(), c.machine.Gap()
	if c.known && mono < c.next && (gap-c.gap).Abs() < doubtful {
		return false
	}
	c.next, c.gap = mono+every, gap
	return true
}
