package worker

import (
	"context"
	"fmt"
	"time"
)

// clock tells the time of this machine; a test's may jump.
type clock struct {
	wall func() time.Time
	mono func() time.Duration // since some moment; never set, and may stand still while the machine sleeps
}

func realClock() clock {
	begin := time.Now()
	return clock{
		wall: func() time.Time { return time.Now().Round(0) },
		mono: func() time.Duration { return time.Since(begin) },
	}
}

// gap is the wall clock's lead over the monotonic one. It changes only when the
// wall clock is set, or the machine was suspended or restored.
func (c clock) gap() time.Duration {
	return c.wall().Sub(time.Unix(0, 0)) - c.mono()
}

// tick is the tick that holds t, counted from the Unix epoch.
func tick(t time.Time, unit time.Duration) int64 {
	ms, u := t.UnixMilli(), unit.Milliseconds()
	if ms%u < 0 {
		return ms/u - 1
	}
	return ms / u
}

// start is a tick's first instant.
func start(tick int64, unit time.Duration) time.Time {
	return time.UnixMilli(tick * unit.Milliseconds()).UTC()
}

// view reads rows in the namespace's current epoch. When the server is another
// incarnation than the floor was set for, it may have lost what it acknowledged:
// then the first to notice lifts the floor behind everything that the lost ones
// may have granted (I7).
func (c Claim) view(ctx context.Context, s Store, first, last int64) (View, error) {
	for range 4 {
		v, err := c.look(ctx, s, first, last)
		if err != nil {
			return v, err
		}
		r, other := c.raise(v)
		if !other {
			return v, nil
		}
		c.Logger.Warn("the store's server is another one than before; granting goes on behind all that may be lost",
			"namespace", c.Namespace, "was", v.Epoch, "is", v.Server)
		// Somebody else may be faster: then the next view shows it.
		if err := c.lift(ctx, s, r); err != nil {
			return View{}, err
		}
	}
	return View{}, fmt.Errorf("%w: its server changes faster than it can be asked", ErrStore)
}

// look is one View, in the time that a call may take.
func (c Claim) look(ctx context.Context, s Store, first, last int64) (View, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return s.View(ctx, c.Namespace, first, last)
}

// write is one Write, in the time that a call may take. What the View before it took
// does not count: on a busy machine nothing would be left.
func (c Claim) write(ctx context.Context, s Store, w Write) (applied bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return s.Write(ctx, w)
}

// lift is one Raise, in the time that a call may take.
func (c Claim) lift(ctx context.Context, s Store, r Raise) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	_, err := s.Raise(ctx, r)
	return err
}

// raise is the new epoch that a view calls for, or false when the server is the
// one that the floor was set for. Its floor is one tick further ahead than the
// clocks may differ: the last tick of a lost grant is not to be had again.
func (c Claim) raise(v View) (Raise, bool) {
	slack := int64((c.Slack+v.Unit-1)/v.Unit) + 1
	return Raise{Namespace: v.Name, Epoch: v.Epoch, Floor: v.Floor, Slack: slack}, v.Server != v.Epoch
}
