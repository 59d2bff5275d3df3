// Package clock has the clocks of this machine, which tests can replace.
package clock

import "time"

// Clock tells the time of this machine.
type Clock struct {
	// Wall has no monotonic reading, or a difference would not show that the clock was set.
	Wall func() time.Time
	// Mono counts from some moment. It is never set, and may stand still while the machine sleeps.
	Mono func() time.Duration
}

// Real returns the machine's clocks.
func Real() Clock {
	begin := time.Now()
	return Clock{
		Wall: func() time.Time { return time.Now().Round(0) },
		Mono: func() time.Duration { return time.Since(begin) },
	}
}
