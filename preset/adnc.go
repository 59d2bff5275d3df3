package preset

import (
	"time"

	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Adnc is the generator of AlphaYu/adnc: [Yitter]'s in C#, with worker ids from a sorted
// set in Redis.
type Adnc struct{}

// Config returns the settings of the preset "yitter".
func (Adnc) Config() uid.Config { return Yitter{}.withDefaults().config() }

// Claim chooses as Adnc does from its sorted set: the id with the oldest heartbeat first,
// so that one that was never used comes before one that was given back, and it renews
// every minute. When all ids are held Adnc hands out the one with the oldest heartbeat;
// here that is [worker.ErrAllHeld].
func (Adnc) Claim(c worker.Claim) worker.Claim {
	c.Order, c.TTL = worker.OldestHeartbeat, 3*time.Minute
	return c
}
