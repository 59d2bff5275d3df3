package preset

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringuid/ringuid/internal/machine"
	"github.com/ringuid/ringuid/worker"
)

// Leaf chooses worker ids as Leaf-snowflake of Meituan-Dianping/Leaf does.
type Leaf struct {
	// Port is that of the service, to tell services on one machine apart.
	Port int
}

// Claim chooses as Leaf does: a process with the same address and port as before gets the same
// worker id again, others get one that no process had. It renews every three seconds. Leaf
// refuses to start when its clock is behind the last report; here the grant begins after the
// previous one, whatever the clock says. Leaf never gives a worker id to another address; this
// does when no other is left.
func (l Leaf) Claim(c worker.Claim) worker.Claim {
	c.Prefer, c.TTL = worker.OwnThenNew, 9*time.Second
	c.Owner = fmt.Sprintf("%s:%d", machine.This.Host(), l.Port)
	return c
}

// Raindrop chooses worker ids as treeyh/raindrop does. The range of worker ids that one data
// centre may use is set with First and Count of the [worker.Claim].
type Raindrop struct {
	// Unit is the length of a tick. Zero: a second.
	Unit time.Duration

	// Port is that of the service, a part of the code by which raindrop identifies the
	// holder of a worker id.
	Port int

	// PriorityEqualCodeWorkID prefers the worker id that was last held with this
	// process's code, which is made of address, port, unit and hardware address. As in
	// raindrop, ticks of a minute and longer ignore it.
	PriorityEqualCodeWorkID bool
}

// Claim chooses as raindrop does: the row that was renewed longest ago, at least two
// minutes ago; with ticks of a minute three minutes, of an hour an hour and two minutes,
// of a day a day and two minutes. Raindrop takes the row with its own code even from a
// live process; this does not.
func (o Raindrop) Claim(c worker.Claim) worker.Claim {
	unit := cmp.Or(o.Unit, time.Second)
	c.Owner = fmt.Sprintf("%s#%d#%v#%s", machine.This.Host(), o.Port, unit, machine.Hardware())
	c.Prefer, c.TTL = worker.Oldest, 2*time.Minute
	switch {
	case unit >= time.Minute:
		c.TTL += unit
	case o.PriorityEqualCodeWorkID:
		c.Prefer = worker.OwnThenOldest
	}
	return c
}
