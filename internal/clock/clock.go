// Package clock has the clocks of this machine, which tests can replace.
package clock

import "time"

// Clock tells the time of this machine.
type Clock struct {
	// without a monotonic reading, or a difference would not show that the clock was set
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
