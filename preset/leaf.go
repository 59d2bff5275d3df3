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
	// Port is that of the service, to tell services on one machine apart.
	Port int
}

// Config returns the layout of Twitter's Snowflake with Leaf's policies. If the clock
// went back by at most 5 ms it waits, once; and each millisecond begins at a random
// sequence number below 100. Leaf spins forever when the clock goes back during that
// wait, and its ids become negative at the end of its time; here neither happens.
func (Leaf) Config() uid.Config {
	c := like(twitter(), policy.WaitUpTo(5*time.Millisecond), policy.WaitNext)
	c.RandomSeq = 100
	return c
}

// Claim chooses as Leaf does: a process with the same address and port as before gets the
// same worker id again, others get one that nobody had. It renews every three seconds.
// Leaf refuses to start when its clock is behind the last report; here the grant begins
// after the previous one, whatever the clock says. Leaf never gives an id to another
// address; this does when no other is left.
func (l Leaf) Claim(c worker.Claim) worker.Claim {
	c.Order, c.TTL = worker.SameOwner, 9*time.Second
	c.Owner = fmt.Sprintf("%s:%d", machine.This.Host(), l.Port)
	return c
}
