package leasetest

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ringuid/ringuid/internal/testserver"
	"github.com/ringuid/ringuid/worker/store"
)

// TestCluster puts a cluster through everything that it should survive, one fault after
// the other, while ids are taken. No member is killed after it has slept: see
// leaderSleeps. open returns a store with a client of its own that knows these members.
func TestCluster(t *testing.T, c *testserver.Cluster, open func(addrs ...string) store.Store) {
	proxies, behind := c.Proxies(t) // the third generator's ways to the members
	stores := []store.Store{open(c.Addrs()...), open(c.Addrs()...), open(behind...)}
	h := Start(t, stores[0], int64(len(stores)))
	for _, s := range stores {
		h.Join(s)
	}
	h.GoOn("all is well")
	leader := c.Leader()
	leader.Kill()
	c.Leader()
	h.GoOn("the leader was killed")
	leader.Start()
	h.GoOn("it came back")
	h.workerIDIsTakenOver(c, open(c.Addrs()...))
	for _, m := range c.Members { // at once, as by a power cut
		m.Kill()
	}
	c.Start()
	h.GoOn("all were killed")
	h.leaderSleeps(c)
	toLeader := proxies[slices.Index(c.Members, c.Leader())]
	toLeader.Drop()
	h.GoOn("one is cut off from the leader")
	toLeader.Pass()
	h.GoOn("it is not any more")
	assert.Empty(t, h.Duplicates())
	for _, m := range h.all {
		assert.Zero(t, m.gen.Stats().Rollbacks, "a view lacked what was acknowledged")
	}
}

// workerIDIsTakenOver lets a generator go silent just before a fail-over. Who takes
// its worker id over has to hear from the next leader how far it was granted.
func (h *Holders) workerIDIsTakenOver(c *testserver.Cluster, s store.Store) {
	h.t.Helper()
	silent := h.all[0]
	id := silent.WorkerID()
	silent.CutOff()
	leader := c.Leader()
	leader.Kill()
	other := h.Join(s)
	// Not by it, perhaps: rows of others may have run out while nobody led.
	require.Eventually(h.t, func() bool {
		return slices.ContainsFunc(h.all[1:], func(m *Holder) bool { return m.WorkerID() == id })
	}, patience, 2*time.Millisecond, "somebody takes worker id %d over", id)
	h.GoOn("a worker id was taken over")
	leader.Start()
	silent.Mend()
	other.Leave()
	h.GoOn("who was silent has to find a worker id")
}

// leaderSleeps has a leader that was deposed meanwhile wake up and believe that it
// leads. A server of ZooKeeper that woke up, dropped what nobody had acknowledged, and was
// interrupted while it caught up, may have a hole in its log: when it is started again, it
// has forgotten what was acknowledged meanwhile (ZOOKEEPER-5094, open in November 2026).
func (h *Holders) leaderSleeps(c *testserver.Cluster) {
	h.t.Helper()
	leader := c.Leader()
	leader.Pause()
	defer leader.Resume()
	for begin := time.Now(); time.Since(begin) < 2*TTL; {
		c.Leader()
		h.GoOn("the leader sleeps")
	}
	leader.Resume()
	h.GoOn("it wakes up")
}
