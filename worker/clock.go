package worker

import "github.com/ringuid/ringuid/internal/clock"

// OnClock returns the claim with other clocks than the machine's, for the tests of this
// module's stores.
func (c Claim) OnClock(k clock.Clock) Claim {
	c.clock = k
	return c
}
