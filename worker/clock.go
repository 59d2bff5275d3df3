package worker

import (
	"time"

	"github.com/ringuid/ringuid/internal/clock"
)

// OnClock is the claim on other clocks than the machine's, for the tests of this
// module's stores.
func (c Claim) OnClock(k clock.Clock) Claim {
	c.clock = k
	return c
}

// tick is the tick that holds t, counted from the Unix epoch.
func tick(t time.Time, unit time.Duration) int64 {
	ms, u := t.UnixMilli(), unit.Milliseconds()
	if ms%u < 0 {
		return ms/u - 1
	}
	return ms / u
}

// start is a tick's first instant, the year 9999's end at most.
func start(tick int64, unit time.Duration) time.Time {
	const end = 253402300800000 // ms
	return time.UnixMilli(min(tick, end/unit.Milliseconds()) * unit.Milliseconds()).UTC()
}
