package preset

import (
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/policy"
	"github.com/ringuid/ringuid/uid"
	"github.com/ringuid/ringuid/worker"
)

// Leaf is Leaf-snowflake of Meituan-Dianping/Leaf.
type Leaf struct {
	// Port is the service's: it tells services of one machine apart.
	Port int
}

// Config returns the layout of Twitter's Snowflake with Leaf's policies. A clock
// that went back by at most 5 ms is waited for, once, and each millisecond begins at
// random below 100. Leaf spins without end when the clock goes back meanwhile and
// turns negative at the end; this one does neither.
func (Leaf) Config() uid.Config {
	c := snowflake(snowflakeLayout())
	c.RandomSeq = 100
	c.ClockBack = policy.WaitUpTo(5 * time.Millisecond)
	return c
}

// Claim chooses as Leaf does: who listens at the same address and port gets the same
// id again, others one that nobody had; it reports every three seconds. Leaf refuses
// to start when its clock is behind the last report; here the grant begins behind
// the last one whatever the clock says. Leaf never gives an id to another address;
// here it does when none is left.
func (l Leaf) Claim(c worker.Claim) worker.Claim {
	c.Order, c.TTL = worker.SameOwner, 9*time.Second
	c.Owner = fmt.Sprintf("%s:%d", machine.This().Host(), l.Port)
	return c
}
