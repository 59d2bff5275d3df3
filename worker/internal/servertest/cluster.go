package servertest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/internal/leasetest"
	"github.com/ringuid/ringuid/worker/store"
)

// TestCluster puts a cluster of a textstore through everything that it should survive, one
// fault after another, while processes take ids. Each member has its turn, so the one that leads
// has it, too. open returns a store with its own client, which knows the members at addrs.
//
// No member is killed after it has slept: if it was catching up, ZooKeeper forgets what was
// acknowledged meanwhile (ZOOKEEPER-5094, open in November 2026).
func TestCluster(t *testing.T, c testserver.Cluster, open func(addrs ...string) store.Store) {
	proxies, behind := c.Proxies(t) // how the third process reaches the members
	h := leasetest.Start(t, open(c.Addrs()...), 3)
	silent := h.Join(open(c.Addrs()...))
	all := []*leasetest.Holder{silent, h.Join(open(c.Addrs()...)), h.Join(open(behind...))}
	h.GoOn("all is well")

	// A new holder has to learn from the next leader how far each worker id was granted.
	silent.CutOff()
	for _, m := range c {
		m.Kill()
		other := h.Join(open(c.Addrs()...))
		h.GoOn("three others have the worker ids")
		m.Start()
		_ = other.Close() // if this fails, its lease expires
	}
	silent.Mend()
	h.GoOn("who was silent has to find a worker id")

	for _, m := range c { // all at once, as in a power cut
		m.Kill()
	}
	c.Start()
	h.GoOn("all were killed")

	for _, m := range c {
		m.Pause()
		for begin := time.Now(); time.Since(begin) < 2*h.TTL; {
			h.GoOn("one sleeps")
		}
		m.Resume()
		h.GoOn("it wakes up, and may believe that it leads")
		c.Start() // it has caught up
	}

	for _, p := range proxies {
		p.Drop()
		h.GoOn("one is cut off from a member")
		p.Pass()
		h.GoOn("it is not any more")
	}
	assert.Zero(t, h.Duplicates())
	for _, m := range all {
		assert.Zero(t, m.Stats().Rollbacks, "a view lacked what was acknowledged")
	}
}
