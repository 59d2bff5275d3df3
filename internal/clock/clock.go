// Package clock has the clocks of this machine, which tests can replace.
package clock

import "time"

// Clock tells the time of this machine.
type Clock struct {
	Wall func() time.Time
	// since some moment; never set, and may stand still while the machine sleeps
	Mono func() time.Duration
}

// Real is the machine's.
func Real() Clock {
	begin := time.Now()
	return Clock{
		Wall: func() time.Time { return time.Now().Round(0) },
		Mono: func() time.Duration { return time.Since(begin) },
	}
}

// Ahead is a clock that was set forward by so much.
func (c Clock) Ahead(by time.Duration) Clock {
	wall := c.Wall
	c.Wall = func() time.Time { return wall().Add(by) }
	return c
}

// Gap is the wall clock's lead over the monotonic one. It changes only when the
// wall clock is set, or the machine was suspended or restored.
func (c Clock) Gap() time.Duration {
	return c.Wall().Sub(time.Unix(0, 0)) - c.Mono()
}
